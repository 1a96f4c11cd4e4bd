import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { type CommandResult, runNode } from '../support/run-command.ts'

const project = fileURLToPath(new URL('project/', import.meta.url))
const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))

/** Runs the project's two test files in a pool of Vitest's, in one worker. */
function runProject(pool: string, config: string, ...options: readonly string[]): Promise<CommandResult> {
  return runNode(project, [vitest, 'run', '--config', config, '--pool', pool, ...options], { NO_COLOR: '1' })
}

it.each(['forks', 'threads', 'vmForks', 'vmThreads'])('replays in the pool %s what was recorded in it', async (pool) => {
  const { stdout, stderr, status } = await runProject(pool, 'vitest.config.ts')
  expect(stdout).toContain('Tests  2 passed (2)')
  expect([stderr, status]).toEqual(['', 0])
})

it('says that named imports cannot follow where it was not preloaded', async () => {
  const { stderr } = await runProject('vmThreads', 'setup-only.config.ts', '--testNamePattern', 'none of them')
  expect(stderr).toContain(
    "goldenrun/register: named imports of Node's modules stay as they are in Vitest's vm pools. " +
      "Beside the setup file, set test.execArgv to ['--import', 'goldenrun/register'].\n",
  )
})
