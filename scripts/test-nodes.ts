/**
 * Runs the core of the recorder's tests on the other versions of Node that are supported, from the npm package `node`: `npm run test:nodes`, or
 * `npm run test:nodes -- test/record` for other tests.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { locateNode } from './locate-node.ts'

/** What depends on a Node most: its threads, what it does when it is killed, its compressors, its `fetch`. */
const CORE = [
  ...['kills', 'soak', 'thread', 'lost-thread', 'slow-disk', 'fails-open', 'limits', 'fetch'].map((name) => `test/record/${name}`),
  'test/travel/live',
  'test/travel/inspect',
  'test/cli/fork.test',
  'test/mcp',
  'test/boundaries/process',
]

const vitest = fileURLToPath(new URL('vitest.mjs', import.meta.resolve('vitest/package.json')))
const tests = process.argv.length > 2 ? process.argv.slice(2) : CORE
const failed = [22, 26].map(locateNode).filter(({ path, version }) => {
  console.log(`Node ${version}`)
  return spawnSync(path, [vitest, 'run', '--testTimeout', '120000', ...tests], { stdio: 'inherit' }).status !== 0
})
if (failed.length > 0) {
  console.error(`Failed on ${failed.map(({ version }) => version).join(' and ')}.`)
  process.exitCode = 1
}
