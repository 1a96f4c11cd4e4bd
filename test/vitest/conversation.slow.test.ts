import { afterAll, beforeAll, expect, it } from 'vitest'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { createPausingAgent, pausingSource, recordConversation, startShop, type Shop } from '../support/pausing-agent.ts'
import { createVitestWorkspace, type VitestProject, type VitestWorkspace } from '../support/vitest-workspace.ts'

let workspace: VitestWorkspace
let shop: Shop

beforeAll(async () => {
  workspace = await createVitestWorkspace()
  shop = await startShop()
}, 60_000)

afterAll(async () => {
  await shop[Symbol.asyncDispose]()
  await workspace[Symbol.asyncDispose]()
})

/** A project of the agent that pauses, with the goldens `refund-talk/1` and `refund-talk/2`. */
async function createProject(): Promise<VitestProject> {
  const project = await workspace.project({
    'src/agent.js': pausingSource(shop.url),
    'goldenrun.config.ts': "export default { agents: { support: './src/agent.js#support' } }\n",
    'vitest.config.ts': `import { goldenrun } from 'goldenrun/vitest/plugin'
import { defineConfig } from 'vitest/config'

export default defineConfig({ plugins: [goldenrun()], test: { reporters: ['default'] } })
`,
  })
  await recordConversation(`${project.path}/.goldenrun/runs`, createPausingAgent(shop.url))
  expect((await project.goldenrun(['promote', 'latest~1', 'latest', '--name', 'refund-talk', '--yes'])).status).toBe(0)
  return project
}

const [first, second] = ['golden-traces/refund-talk/1.jsonl', 'golden-traces/refund-talk/2.jsonl']

it('holds each golden of a conversation after those before it, in processes of their own and in one', async () => {
  const project = await createProject()
  const alone = await project.vitest(['run', second])
  expect(alone).toMatchObject({ output: expect.stringContaining('Goldens  1 held (1)'), status: 0 })
  for (const args of [[], ['--no-isolate', '--no-file-parallelism']])
    expect(await project.vitest(['run', ...args])).toMatchObject({ output: expect.stringContaining('Goldens  2 held (2)'), status: 0 })
  await project.edit(second, ',"follows":"refund-talk/1"', '')
  expect((await project.vitest(['run', second])).output).toContain('Goldens  1 not held (1)')
})

it('tells a change in the first run that spoils the second, and one that the first itself shows', async () => {
  const project = await createProject()
  await project.edit('src/agent.js', 'amount: total', 'amount: total / 100')
  const spoiled = await project.vitest(['run'])
  expect(spoiled.output).toContain('Failed to replay "refund-talk/2": step 1 diverged (input: body)')
  expect(spoiled.output).toContain('Goldens  1 not held | 1 held (2)')
  await project.edit('src/agent.js', 'order: input.order })\n', "order: input.order, currency: 'usd' })\n")
  const { output, status } = await project.vitest(['run', second])
  expect(output).toContain(
    '"refund-talk/2" was not judged, because it follows "refund-talk/1", which does not hold: step 1 diverged (input: body). ' +
      'Fix or update that one first. To see it: npx goldenrun replay refund-talk/1',
  )
  expect(status).toBe(1)
})

it('accepts a change into all goldens of a conversation with one -u', async () => {
  const project = await createProject()
  await project.edit('src/agent.js', 'JSON.stringify(body)', 'JSON.stringify({ ...body, version: 2 })')
  const { output, status } = await project.vitest(['run', '-u'])
  expect(output).toContain('Goldens  2 rebased (2)')
  expect(status).toBe(0)
  expect(await project.vitest(['run'])).toMatchObject({ output: expect.stringContaining('Goldens  2 held (2)'), status: 0 })
})

it.each([
  ['all', []],
  ['one', [second]],
])('records the whole conversation once, in order, where %s of its goldens are run', async (_, args) => {
  const project = await createProject()
  const [before, refunds] = [await project.read(first), shop.refunds.length]
  const { output, status } = await project.vitest(['run', ...args], { GOLDENRUN: 'record' })
  expect(output).toContain(args.length === 0 ? 'Goldens  2 recorded (2)' : 'Goldens  1 recorded (1)')
  expect(status).toBe(0)
  expect(shop.refunds).toHaveLength(refunds + 1)
  expect(await project.read(first)).not.toBe(before)
  const { end } = await readTrace(`${project.path}/${first}`)
  const { header } = await readTrace(`${project.path}/${second}`)
  expect(header.input).toEqual({ ...(end?.output as object), approved: true })
  expect(header.golden?.follows).toBe('refund-talk/1')
  expect(await project.vitest(['run'])).toMatchObject({ output: expect.stringContaining('Goldens  2 held (2)'), status: 0 })
})

it('records two runs that follow the same one', async () => {
  const project = await createProject()
  const other = (await project.read(second)).replaceAll('refund-talk/2', 'refund-talk/again')
  await project.write('golden-traces/refund-talk/again.jsonl', other)
  const { output, status } = await project.vitest(['run'], { GOLDENRUN: 'record' })
  expect(output).toContain('Goldens  3 recorded (3)')
  expect(status).toBe(0)
  expect(await project.vitest(['run'])).toMatchObject({ output: expect.stringContaining('Goldens  3 held (3)'), status: 0 })
  expect((await project.goldenrun(['replay'])).stdout).toBe('3 traces replayed: 3 held.\n')
})

it('replays a conversation, and one of its runs, in tests of the project itself', async () => {
  const project = await createProject()
  await project.write(
    'test/own.test.ts',
    `import { replay } from 'goldenrun/vitest'
import { expect, it } from 'vitest'
import { support } from '../src/agent.js'

it('refunds', async () => {
  const run = await replay('refund-talk', support)
  expect(run).toReplayWithoutDivergence()
  expect(run.outcome.output).toEqual({ refund: expect.any(String) })
})
it('goes on', async () => expect(await replay('refund-talk/2', support)).toReplayWithoutDivergence())
`,
  )
  const { output, status } = await project.vitest(['run', 'own'])
  expect(output).toContain('Tests  2 passed (2)')
  expect(status).toBe(0)
  await project.edit('src/agent.js', 'order: input.order })\n', "order: input.order, currency: 'usd' })\n")
  const changed = await project.vitest(['run', 'own'])
  expect(changed.output).toContain('Failed to replay "refund-talk/1": step 1 diverged (input: body)')
  expect(changed.output).toContain('"refund-talk/2" was not judged')
  expect((await project.vitest(['run', 'own', '-t', 'refunds', '-u'])).output).toContain('Goldens  1 rebased (1)')
  expect(await project.vitest(['run'])).toMatchObject({ output: expect.stringContaining('Goldens  2 held (2)'), status: 0 })
})
