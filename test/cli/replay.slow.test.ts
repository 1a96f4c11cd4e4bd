import { once } from 'node:events'
import { createServer } from 'node:http'
import { readdir } from 'node:fs/promises'
import { expect, it, vi } from 'vitest'
import { dataOfPage } from '../support/page-data.ts'
import {
  askedMeanwhileCases,
  changeThePrompt,
  createProject,
  quietFieldsCases,
  refusedCallsCases,
  setUpReplayProjects,
  testAskedMeanwhile,
  testQuietFields,
  testRefusedCalls,
} from '../support/replay-projects.ts'

// Processes are started, one after another.
vi.setConfig({ testTimeout: 120_000 })

setUpReplayProjects()

testRefusedCalls(refusedCallsCases)

it('cannot run a golden whose agent ends with an unhandled error, and says which error', async () => {
  const project = await createProject()
  const signature = 'supportAgent(input: SupportInput): Promise<SupportOutput> {'
  await project.edit('src/agent.ts', signature, `${signature}\n  setImmediate(() => { throw new Error('of my own') })`)
  const { status, stdout } = await project.spawn(['replay', 'cancel-unshipped'])
  expect(stdout).toMatch(/^Could not replay cancel-unshipped: .*an error that nothing caught: Error: of my own/)
  expect(stdout).toContain('1 trace replayed: 1 could not run.')
  expect(status).toBe(2)
})

it('shows costs on a page with --html, and removes the page of a golden that holds again', async () => {
  const project = await createProject()
  await changeThePrompt(project)
  await project.edit('goldenrun.config.ts', 'defineConfig({', "defineConfig({ prices: { 'gpt-4.1-mini': { input: 0.4, output: 1.6 } },")
  await project.goldenrun(['replay', '--html', 'out'])
  expect(dataOfPage(await project.read('out/cancel-unshipped.red.html')).prices).toEqual({ 'gpt-4.1-mini': { input: 0.4, output: 1.6 } })
  await project.edit('src/prompt.ts', 'three formal sentences', 'three friendly sentences')
  expect((await project.spawn(['replay', 'cancel-unshipped', '--html', 'out'])).status).toBe(0)
  expect(await readdir(`${project.path}/out`)).toEqual(['refund-twice.red.html'])
})

testAskedMeanwhile(askedMeanwhileCases.slice(1))

testQuietFields(quietFieldsCases)

it('lets what is declared live be reached, and cannot run what does not go on without the world', async () => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.end('[]')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { readonly port: number }
  const project = await createProject({
    'src/start.ts': `import { supportAgent as agent } from './agent.ts'
await fetch('http://127.0.0.1:${port}/flags')
export const supportAgent = agent
`,
  })
  await project.edit('goldenrun.config.ts', './src/agent.ts', 'src/start.ts')
  const without = await project.spawn(['replay', 'cancel-unshipped'])
  expect([without.status, asked]).toEqual([2, []])
  await project.edit('goldenrun.config.ts', 'agents:', "live: ['localhost'], agents:")
  expect(await project.spawn(['replay', 'cancel-unshipped'])).toMatchObject({ status: 0, stderr: '' })
  expect(asked).toEqual(['/flags'])
  server.close()
})
