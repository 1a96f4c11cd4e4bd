import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { documentedIn, documentedLines } from '../boundaries/register/documented-lines.ts'
import { type CommandResult, runNode } from '../support/run-command.ts'

const project = fileURLToPath(new URL('project/', import.meta.url))
const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))

/** Runs the project's two test files in a pool of Vitest's, in one worker. */
function runProject(pool: string, config: string, ...options: readonly string[]): Promise<CommandResult> {
  return runNode(project, [vitest, 'run', '--config', config, '--pool', pool, ...options], { NO_COLOR: '1' })
}

it.each(['forks', 'threads'])('replays in the pool %s what was recorded in it', async (pool) => {
  const { stdout, stderr, status } = await runProject(pool, 'vitest.config.ts')
  expect(stdout).toContain('Tests  2 passed (2)')
  expect([stderr, status]).toEqual(['', 0])
})

const ofIds =
  'goldenrun/register: ids of uuid, nanoid, ulid and cuid2 may depend on earlier runs: ' +
  "Vitest's vm pools load packages without Node's module hooks. The forks and threads pools use them.\n"

it.each(['vmForks', 'vmThreads'])('replays in the pool %s what was recorded in it, and says what stays open there', async (pool) => {
  const { stdout, stderr, status } = await runProject(pool, 'vitest.config.ts')
  expect(stdout).toContain('Tests  2 passed (2)')
  // Once, though each test file loads the setup file.
  expect([stderr, status]).toEqual([ofIds, 0])
  expect(documentedIn(stderr)).toEqual([documentedLines[4]])
})

it('says that named imports cannot follow where it was not preloaded', async () => {
  const { stderr } = await runProject('vmThreads', 'setup-only.config.ts', '--testNamePattern', 'none of them')
  const said =
    "goldenrun/register: named imports of Node's modules are not patched in Vitest's vm pools. " +
    "In addition to the setup file, set test.execArgv to ['--import', 'goldenrun/register'].\n" +
    ofIds
  expect(stderr).toContain(said)
  expect(documentedIn(said)).toEqual([documentedLines[3], documentedLines[4]])
})
