import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createVitestWorkspace, supportProject, type VitestProject, type VitestWorkspace } from '../support/vitest-workspace.ts'

// Processes are started, one after another.
vi.setConfig({ testTimeout: 120_000 })

let workspace: VitestWorkspace

beforeAll(async () => {
  workspace = await createVitestWorkspace()
}, 60_000)

afterAll(() => workspace[Symbol.asyncDispose]())

const signature = 'supportAgent(input: SupportInput): Promise<SupportOutput> {'

/** A project with two goldens of one agent, which share a worker. */
async function createProject(before: string, first: string): Promise<VitestProject> {
  const files = await supportProject()
  const golden = files['golden-traces/cancel-unshipped.jsonl'] ?? ''
  const project = await workspace.project({
    ...files,
    'golden-traces/cancel-again.jsonl': golden.replaceAll('cancel-unshipped', 'cancel-again'),
  })
  await project.edit('src/agent.ts', `export async function ${signature}`, `${before}\nexport async function ${signature}\n  ${first}`)
  return project
}

const shared = ['run', 'cancel', '--no-isolate', '--no-file-parallelism']

it('holds a golden that another golden of the worker spoils, and says so', async () => {
  const project = await createProject('let runs = 0', "if (++runs > 1) await fetch('http://127.0.0.1:9/again')")
  const { status, output } = await project.vitest(shared)
  expect(output).toContain('2 passed')
  expect(output).toMatch(/Warning: golden-traces\/\S+ held\. Note: in a process that had replayed other runs before, .* diverged/)
  expect(status).toBe(0)
})

it('reports what each golden of a worker fails with alone', async () => {
  const project = await createProject('let runs = 0', "if (++runs > 1) await fetch('http://127.0.0.1:9/again')")
  await project.edit('src/prompt.ts', 'three friendly sentences', 'three formal sentences')
  const { status, output } = await project.vitest(shared)
  for (const name of ['cancel-again', 'cancel-unshipped'])
    expect(output).toContain(`Failed to replay "${name}": step 1 diverged (input: system prompt).`)
  expect(output).not.toContain('http://127.0.0.1:9/again')
  expect(status).toBe(1)
})
