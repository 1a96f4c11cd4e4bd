import { expect, it } from 'vitest'
import { createVitestWorkspace, supportProject } from '../support/vitest-workspace.ts'

// All that it prints, with a golden that holds: golden-run.slow.test.ts. The other tests of goldens as test files: npm run test:slow -- test/vitest.
it('runs a golden as a test file that is named by its golden', async () => {
  await using workspace = await createVitestWorkspace()
  const project = await workspace.project(await supportProject())
  const { status, output } = await project.vitest(['run', 'refund-twice'])
  expect(output).toContain('❯ golden-traces/refund-twice.jsonl (1 test | 1 failed)')
  expect(output).toContain('Error: Failed to hold "refund-twice": the agent still repeats the incident.')
  expect(output).toMatch(/Goldens {2}1 repeated \(1\)$/)
  expect(status).toBe(1)
}, 60_000)
