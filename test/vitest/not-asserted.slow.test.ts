import { expect, it } from 'vitest'
import { expectAllPassed, expectAssertedOnly, NOT_ASSERTED_TESTS } from '../support/not-asserted.ts'
import type { RanTest } from '../support/not-awaited.ts'
import { createVitestWorkspace, supportProject } from '../support/vitest-workspace.ts'

const PLAY = `import { beforeAll, describe, expect, test } from 'vitest'
import { replay } from 'goldenrun/vitest'
import { supportAgent } from '../src/agent.ts'

const play = (name = 'cancel-unshipped') => replay(name, supportAgent)
`

it('counts the replays that a test does not look at, and fails it where replays have to be asserted', async () => {
  await using workspace = await createVitestWorkspace()
  const project = await workspace.project({
    ...(await supportProject()),
    'test/not-asserted.test.ts': PLAY + NOT_ASSERTED_TESTS,
    'test/alone.test.ts': `${PLAY}test('nothing', async () => void (await play()))\n`,
  })
  const run = async (...args: readonly string[]): Promise<{ status: number | null; output: string; tests: RanTest[] }> => {
    const told = await project.vitest(['run', ...args, '--reporter=json', '--reporter=default', '--outputFile=told.json'])
    const { testResults } = JSON.parse(await project.read('told.json')) as { testResults: { assertionResults: RanTest[] }[] }
    return { ...told, tests: testResults.flatMap(({ assertionResults }) => assertionResults) }
  }

  const without = await run('test/not-asserted.test.ts')
  expectAllPassed(without.tests)
  expect(without.status).toBe(0)
  // Other tests of the file assert it.
  expect(without.output).toMatch(/Goldens +1 held \(1\)/)
  const alone = await run('test/alone.test.ts')
  expect(alone.output).toMatch(/Goldens +1 not asserted \(1\)/)
  expect(alone.status).toBe(0)

  await project.edit('goldenrun.config.ts', 'agents:', 'assertReplays: true, agents:')
  const asserted = await run('test/not-asserted.test.ts')
  expectAssertedOnly(asserted.tests)
  expect(asserted.status).toBe(1)

  await project.edit('src/prompt.ts', 'three friendly sentences', 'three formal sentences')
  const diverged = await run('test/alone.test.ts')
  expect(diverged.output).toContain('The test ended without looking at what came of the replay of "cancel-unshipped"')
  expect(diverged.status).toBe(1)
}, 180_000)
