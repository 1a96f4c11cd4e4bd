import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createVitestWorkspace, supportProject, type VitestProject, type VitestWorkspace } from '../support/vitest-workspace.ts'

// Processes are started, one after another.
vi.setConfig({ testTimeout: 120_000 })

let workspace: VitestWorkspace

beforeAll(async () => {
  workspace = await createVitestWorkspace()
}, 60_000)

afterAll(() => workspace[Symbol.asyncDispose]())

/** A project with a golden that holds and one that does not, and these files beside its own. */
async function createProject(files: Readonly<Record<string, string>> = {}): Promise<VitestProject> {
  const { 'golden-traces/refund-twice.jsonl': _, ...own } = await supportProject()
  const golden = (own['golden-traces/cancel-unshipped.jsonl'] ?? '').replaceAll('three friendly sentences', 'three formal sentences')
  return await workspace.project({ ...own, 'golden-traces/changed.jsonl': golden.replaceAll('cancel-unshipped', 'changed'), ...files })
}

it('writes a page for each golden that does not hold, and names it with the failure', async () => {
  const project = await createProject()
  const { output, status } = await project.vitest(['run'])
  expect(status).toBe(1)
  expect(output).toContain('See the run: .goldenrun/pages/changed.red.html')
  expect(await readdir(`${project.path}/.goldenrun/pages`)).toEqual(['changed.red.html'])
  expect(await project.read('.goldenrun/pages/changed.red.html')).toContain('<title>changed · goldenrun</title>')
})

it('does the same for a golden that a test asserts, in the folder that GOLDENRUN_PAGES names', async () => {
  const project = await createProject({
    'support.test.ts': `import { expect, test } from 'vitest'
import { replay } from 'goldenrun/vitest'
import { supportAgent } from './src/agent.ts'

test('is held', async () => {
  expect(await replay('changed', supportAgent)).toReplayWithoutDivergence()
})
`,
  })
  const { output } = await project.vitest(['run', 'support.test.ts'], { GOLDENRUN_PAGES: 'out' })
  expect(output).toContain('See the run: out/changed.red.html')
  expect(await readdir(`${project.path}/out`)).toEqual(['changed.red.html'])
})

it('reports the failure all the same where a page cannot be written', async () => {
  const project = await createProject()
  const { output, status } = await project.vitest(['run'], { GOLDENRUN_PAGES: 'package.json/pages' })
  expect(status).toBe(1)
  expect(output).toContain('Failed to replay "changed": step 1 diverged (input: system prompt).')
})
