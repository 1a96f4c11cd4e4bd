import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCommand } from './run-command.ts'
import { createVitestWorkspace, supportProject, type VitestProject, type VitestWorkspace } from './vitest-workspace.ts'

/** All projects are in it. */
export let workspace: VitestWorkspace

/** A project whose commands run in this process, and one that starts them. */
interface CommandProject extends VitestProject {
  /** Starts the built command, which tells of warnings as Node prints them and loads an agent anew. */
  spawn: VitestProject['goldenrun']
}

/** A project with the support agent and its goldens, no test runner, and these files beside or in place of its own. */
export async function createProject(files: Readonly<Record<string, string>> = {}): Promise<CommandProject> {
  const { 'vitest.config.ts': _, ...own } = await supportProject()
  const project = await workspace.project({ ...own, ...files })
  return { ...project, goldenrun: (args, env) => runCommand(project.path, args, env), spawn: project.goldenrun }
}

/** So that a golden does not hold. */
export const changeThePrompt = (project: VitestProject): Promise<void> =>
  project.edit('src/prompt.ts', 'three friendly sentences', 'three formal sentences')

/** How an agent tells of a refusal. */
export const refusedCallsCases = [
  ['an emitter without a listener', "new (await import('node:events')).EventEmitter().emit('error', error)"],
  ['an event that a promise rejects with', "void Promise.reject(Object.assign(new Event('error'), { error }))"],
] as const

/** Tests that the command goes on and reports it. */
export function testRefusedCalls(cases: readonly (typeof refusedCallsCases)[number][]): void {
  it.each(cases)('reports a call that is refused to %s, and goes on', async (_name, tell) => {
    const project = await createProject()
    const signature = 'supportAgent(input: SupportInput): Promise<SupportOutput> {'
    await project.edit(
      'src/agent.ts',
      signature,
      `${signature}\n  fetch('https://audit.example/seen').catch((error) => setImmediate(async () => { ${tell} }))`,
    )
    const { status, stdout, stderr } = await project.spawn(['replay', 'cancel-unshipped', 'refund-twice'])
    expect([status, stderr]).toEqual([1, ''])
    expect(stdout).toContain('audit.example')
    expect(stdout).toContain('2 traces replayed: ')
  })
}

/** Fields of the config. */
export const askedMeanwhileCases = ['refuse', 'mute'] as const

/** Tests that they settle what a module asks while a run goes on. */
export function testAskedMeanwhile(cases: readonly (typeof askedMeanwhileCases)[number][]): void {
  it.each(cases)('finds nothing in a run of what its module asks meanwhile, where the config says to %s it', async (field) => {
    const project = await createProject({
      'src/start.ts': `import { AsyncResource } from 'node:async_hooks'
import { supportAgent as agent } from './agent.ts'
const askFlags = AsyncResource.bind(() => fetch('http://127.0.0.1:54321/flags').catch(() => undefined))
export const supportAgent: typeof agent = async (input) => {
  await askFlags()
  return await agent(input)
}
`,
    })
    await project.edit('goldenrun.config.ts', './src/agent.ts', 'src/start.ts')
    expect((await project.goldenrun(['replay', 'cancel-unshipped'])).stdout).toContain('tcp 127.0.0.1:54321')
    await project.edit('goldenrun.config.ts', 'agents:', `${field}: ['127.0.0.1:54321'], agents:`)
    expect(await project.goldenrun(['replay', 'cancel-unshipped'])).toMatchObject({ status: 0, stderr: '' })
  })
}

/** Fields of the config. */
export const quietFieldsCases = ['refuse', 'mute'] as const

/** Tests that nothing is said of what they name. */
export function testQuietFields(cases: readonly (typeof quietFieldsCases)[number][]): void {
  it.each(cases)('says nothing of what the config says to %s', async (field) => {
    const project = await createProject({
      'src/start.ts': `import { supportAgent as agent } from './agent.ts'
await fetch('http://127.0.0.1:54321/flags').catch(() => undefined)
export const supportAgent = agent
`,
    })
    await project.edit('goldenrun.config.ts', './src/agent.ts', 'src/start.ts')
    await project.edit('goldenrun.config.ts', 'agents:', `${field}: ['127.0.0.1:54321'], agents:`)
    expect(await project.spawn(['replay', 'cancel-unshipped'])).toMatchObject({ status: 0, stderr: '' })
  })
}

/** Makes the workspace for the tests of a file, and removes it after them. */
export function setUpReplayProjects(): void {
  beforeAll(async () => {
    workspace = await createVitestWorkspace()
  }, 60_000)
  afterAll(() => workspace[Symbol.asyncDispose]())
}
