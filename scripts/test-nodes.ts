/**
 * Runs the core of the recorder's tests on the other supported versions of Node, from the npm package `node`: `npm run test:nodes`, or
 * `npm run test:nodes -- --node 26 test/record` for one version and other tests.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { locateNode } from './locate-node.ts'

const recording = [
  'kills',
  'soak',
  'thread',
  'lost-thread',
  'slow-disk',
  'fails-open',
  'limits',
  'fetch.test',
  'fetch-streams',
  'fetch-content',
]
/** Except tests that repeat at length what these do once. */
const inspecting = ['bundles', 'busy', 'changed', 'debug', 'frameworks', 'goldens', 'hostile', 'leaks', 'wrong']
/** The tests that depend on Node most: its threads, its behaviour when killed, its compressors, its `fetch`, its inspector. */
const CORE = [
  ...recording.map((name) => `test/record/${name}`),
  ...inspecting.map((name) => `test/travel/inspect/${name}`),
  'test/travel/live',
  'test/cli/fork.test',
  'test/mcp',
  'test/boundaries/process',
]

const vitest = fileURLToPath(new URL('vitest.mjs', import.meta.resolve('vitest/package.json')))
const { values, positionals } = parseArgs({
  options: { node: { type: 'string', multiple: true, default: ['22', '26'] } },
  allowPositionals: true,
})
const tests = positionals.length > 0 ? positionals : CORE
// The first Node that fails is the last one run, so the failure is at the end of the output.
for (const { path, version } of values.node.map(Number).map(locateNode)) {
  console.log(`Node ${version}`)
  const { status } = spawnSync(path, [vitest, 'run', '--testTimeout', '120000', ...tests], { stdio: 'inherit' })
  if (status === 0) continue
  console.error(`Failed on Node ${version}.`)
  process.exitCode = 1
  break
}
