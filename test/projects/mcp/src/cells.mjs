// Records an agent whose client is opened when its module loads, from its sources and from two bundles, and holds the golden in every runner: no server is
// started for that.
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

process.env.SHOP_LOG = path.resolve('shop.log')
const bundles = { 'out/shop-agent.mjs': 'esm', 'out/shop-agent.cjs': 'cjs' }
const requires = '--banner:js=import { createRequire } from "node:module"; const require = createRequire(import.meta.url)'
const jest = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js']
const vitest = ['node_modules/vitest/vitest.mjs', 'run']

for (const [file, format] of Object.entries(bundles)) {
  const options = ['--bundle', '--platform=node', '--minify', '--log-level=error', `--format=${format}`, `--outfile=${file}`]
  execFileSync('node_modules/.bin/esbuild', ['src/shop-agent.mjs', ...options, ...(format === 'esm' ? [requires] : [])])
}
for (const recordedFrom of ['src/shop-agent.mjs', ...Object.keys(bundles)]) {
  writeFileSync(process.env.SHOP_LOG, '')
  console.log(run(['src/record.mjs', recordedFrom]).trim())
  const log = readFileSync(process.env.SHOP_LOG, 'utf8')
  console.log(`  of ${recordedFrom}, heard: ${log.trim().replaceAll('\n', ', ')}`)
  const cells = { 'goldenrun replay': ['node_modules/goldenrun/dist/cli.js', 'replay'], 'Jest, modules': jest }
  for (const pool of ['forks', 'threads', 'vmForks', 'vmThreads']) cells[`Vitest, ${pool}`] = [...vitest, '--pool', pool]
  for (const [cell, command] of Object.entries(cells)) hold(cell, command)
  hold('Jest, CommonJS', jest.slice(2), 'out/shop-agent.cjs')
  for (const bundle of Object.keys(bundles)) hold(`goldenrun replay, ${bundle}`, cells['goldenrun replay'], bundle)
  console.log(`  heard meanwhile: ${readFileSync(process.env.SHOP_LOG, 'utf8').slice(log.length) || 'nothing'}`)
}

function hold(cell, command, agent = 'src/shop-agent.mjs') {
  const output = run(command, { SHOP_AGENT: `./${agent}` })
  console.log(`  ${cell}: ${/1 held/.test(output) && !/not held|failed/i.test(output) ? 'held' : output}`)
}

function run(command, env = {}) {
  const { stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8', env: { ...process.env, NO_COLOR: '1', ...env } })
  return `${stdout}${stderr}`
}
