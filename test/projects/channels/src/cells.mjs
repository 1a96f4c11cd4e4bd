// Records agents whose channels are opened when their module loads, and holds the goldens with the servers out of reach: `cells.mjs sources` records from
// the sources and holds in every runner, and on the Nodes that NODES names; `cells.mjs bundles` records from two bundles.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { countReached, shutGates, startServers, stopServers } from './servers.mjs'

const bundles = { 'out/channel-agents.mjs': 'esm', 'out/channel-agents.cjs': 'cjs' }
const requires = '--banner:js=import { createRequire } from "node:module"; const require = createRequire(import.meta.url)'
const jest = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js']
const vitest = ['node_modules/vitest/vitest.mjs', 'run']
const replay = ['node_modules/goldenrun/dist/cli.js', 'replay']

for (const [file, format] of Object.entries(bundles)) {
  const options = ['--bundle', '--platform=node', '--minify', '--log-level=error', `--format=${format}`, `--outfile=${file}`]
  execFileSync('node_modules/.bin/esbuild', ['src/channel-agents.mjs', ...options, ...(format === 'esm' ? [requires] : [])])
}
/** Binaries of Node by their major version. */
const nodes = Object.fromEntries(
  Object.entries(JSON.parse(process.env.NODES ?? '{}')).map(([version, node]) => [`goldenrun replay, Node ${version}`, [replay, { node }]]),
)
const cells = {
  'goldenrun replay': [replay],
  'goldenrun replay, esm': [replay, { agents: 'out/channel-agents.mjs' }],
  'goldenrun replay, cjs': [replay, { agents: 'out/channel-agents.cjs' }],
  'Vitest, forks': [[...vitest, '--pool', 'forks']],
  'Vitest, threads': [[...vitest, '--pool', 'threads']],
  'Vitest, vmForks': [[...vitest, '--pool', 'vmForks']],
  'Vitest, vmThreads': [[...vitest, '--pool', 'vmThreads']],
  'Jest, modules': [jest],
  'Jest, CommonJS': [jest.slice(2), { agents: 'out/channel-agents.cjs' }],
  ...nodes,
}
/** What a run comes to does not depend on what it was recorded from, so not everything is tried with everything. */
const recordings = {
  sources: { 'src/channel-agents.mjs': Object.keys(cells) },
  bundles: {
    'out/channel-agents.mjs': ['goldenrun replay, esm', 'Vitest, vmThreads', 'Jest, modules'],
    'out/channel-agents.cjs': ['goldenrun replay, cjs', 'Vitest, vmForks', 'Jest, CommonJS'],
  },
}

await startServers()
for (const [recordedFrom, names] of Object.entries(recordings[process.argv[2]])) {
  console.log((await run(['src/record.mjs', recordedFrom])).output.trim())
  console.log(`  of ${recordedFrom}`)
  shutGates(true)
  for (const name of names) await hold(name, ...cells[name])
  console.log(`  connections to the servers meanwhile: ${countReached()}`)
  shutGates(false)
}
await stopServers()
process.reallyExit(0)

async function hold(cell, command, { agents = 'src/channel-agents.mjs', node } = {}) {
  const { status, output } = await run(command, { CHANNEL_AGENTS: `./${agents}` }, node)
  const [, count] = /(\d+) held/.exec(output) ?? []
  console.log(`  ${cell}: ${status === 0 && count !== undefined ? `${count} held` : output}`)
}

// The gates are in this process.
async function run(command, env = {}, node = process.execPath) {
  const child = spawn(node, command, {
    env: { ...process.env, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 400_000,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (output += piece))
  const [status] = await once(child, 'close')
  return { status, output }
}
