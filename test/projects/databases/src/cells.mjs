// Records agents whose clients are opened when their module loads, from its sources and from two bundles, and holds the goldens in every runner, with
// the servers out of reach.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { countReached, shutGates, startServers, stopServers } from './servers.mjs'
import { setUp } from './set-up.mjs'

const bundles = { 'out/shop-agent.mjs': 'esm', 'out/shop-agent.cjs': 'cjs' }
const requires = '--banner:js=import { createRequire } from "node:module"; const require = createRequire(import.meta.url)'
// A client of mongodb that nobody closes keeps a process alive, with goldenrun and without.
const jest = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js', '--forceExit']
const vitest = ['node_modules/vitest/vitest.mjs', 'run']
const external = ['better-sqlite3', 'libsql', 'pg-native', 'cloudflare:sockets'].map((name) => `--external:${name}`)

for (const [file, format] of Object.entries(bundles)) {
  const options = ['--bundle', '--platform=node', '--minify', '--log-level=error', `--format=${format}`, `--outfile=${file}`, ...external]
  execFileSync('node_modules/.bin/esbuild', ['src/shop-agent.mjs', ...options, ...(format === 'esm' ? [requires] : [])])
}
const replay = ['node_modules/goldenrun/dist/cli.js', 'replay']
const cells = {
  'goldenrun replay': [replay],
  'goldenrun replay, esm': [replay, 'out/shop-agent.mjs'],
  'goldenrun replay, cjs': [replay, 'out/shop-agent.cjs'],
  'Vitest, forks': [[...vitest, '--pool', 'forks']],
  'Vitest, threads': [[...vitest, '--pool', 'threads']],
  'Vitest, vmForks': [[...vitest, '--pool', 'vmForks']],
  'Vitest, vmThreads': [[...vitest, '--pool', 'vmThreads']],
  'Jest, modules': [jest],
  'Jest, CommonJS': [jest.slice(2), 'out/shop-agent.cjs'],
}
/** What a run comes to does not depend on what it was recorded from, so not everything is tried with everything. */
const recordings = {
  'src/shop-agent.mjs': Object.keys(cells),
  'out/shop-agent.mjs': ['goldenrun replay, esm', 'Vitest, vmThreads', 'Jest, modules'],
  'out/shop-agent.cjs': ['goldenrun replay, cjs', 'Vitest, vmForks', 'Jest, CommonJS'],
}

await startServers()
await setUp()
for (const [recordedFrom, names] of Object.entries(recordings)) {
  console.log((await run(['src/record.mjs', recordedFrom])).trim())
  console.log(`  of ${recordedFrom}`)
  shutGates(true)
  renameSync('data', 'kept')
  // better-sqlite3 asks whether the folder is there.
  mkdirSync('data')
  for (const name of names) await hold(name, ...cells[name])
  if (recordedFrom.startsWith('src')) await holdTwentyTimes()
  console.log(`  files that were opened meanwhile: ${readdirSync('data').join(', ') || 'none'}`)
  console.log(`  connections to the servers meanwhile: ${countReached()}`)
  rmSync('data', { recursive: true })
  renameSync('kept', 'data')
  shutGates(false)
}
await stopServers()

/** In one process, whose clients are opened once. */
async function holdTwentyTimes() {
  const goldens = readdirSync('golden-traces').filter((file) => file.endsWith('.jsonl'))
  for (let time = 2; time <= 20; time += 1)
    for (const file of goldens) cpSync(`golden-traces/${file}`, `golden-traces/again/${time}-${file}`)
  await hold('goldenrun replay, 20 of each in one process', replay)
}

async function hold(cell, command, agent = 'src/shop-agent.mjs') {
  const output = await run(command, { SHOP_AGENT: `./${agent}` })
  const [, count] = /(\d+) held/.exec(output) ?? []
  console.log(`  ${cell}: ${count !== undefined && !/not held|failed/i.test(output) ? `${count} held` : output}`)
}

// The gates are in this process.
async function run(command, env = {}) {
  const child = spawn(process.execPath, command, {
    env: { ...process.env, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 240_000,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (output += piece))
  await once(child, 'close')
  return output
}
