import { afterAll, beforeAll, expect, it } from 'vitest'
import { listen } from '../../../examples/world/listen.ts'
import { replay } from '../../../src/replay/replay.ts'
import { checkpoint } from '../../../src/run/checkpoint.ts'
import { tool } from '../../../src/run/tool.ts'
import { wrapTools } from '../../../src/run/wrap-tools.ts'
import type { Trace } from '../../../src/trace/trace.ts'
import { recordRun } from '../../support/record-run.ts'
import { expectClean } from '../../support/replay-clean.ts'

const server = await listen(async (request, response) => void setTimeout(() => response.end(`answer to ${request.url}`), 2))
afterAll(() => server.close())
const get = async (path: string): Promise<string> => (await fetch(`${server.url}${path}`)).text()
const wait = (delay: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, delay))

let executed = 0
const inner = tool('inner', {}, async (name: string) => {
  executed += 1
  return get(`/inner/${name}`)
})
const outer = tool('outer', { effect: 'write' }, async (name: string) => {
  executed += 1
  checkpoint('inside', { name })
  const first = await get(`/outer/${name}`)
  await wait(3)
  return [first, await inner(name), Math.random(), Date.now()]
})
const agent = async (): Promise<unknown> => {
  const before = await get('/before')
  const result = await outer('a')
  checkpoint('after', { before })
  return [before, result, await get('/after'), Math.random()]
}

let trace: Trace
beforeAll(async () => {
  trace = (await recordRun(agent)).trace
  await server.close()
})

it('runs no wrapped tool, and takes what happened in it as given', async () => {
  executed = 0
  const run = await expectClean(trace, agent)
  expect(executed).toBe(0)
  expect(run.steps.map(({ step, name }) => [step, name])).toEqual([
    [1, new URL(server.url).host],
    [2, 'outer'],
    [6, new URL(server.url).host],
  ])
  expect(run.checkpoints.map(({ name }) => name)).toEqual(['after'])
})

it('runs the tools that it is told to, and answers what they call', async () => {
  executed = 0
  const run = await expectClean(trace, agent, { tools: { outer: 'run' } })
  // Once for the recording, once for the golden.
  expect(executed).toBe(2)
  expect(run.steps.map(({ step, name, owner }) => [step, name, owner])).toEqual([
    [1, new URL(server.url).host, 0],
    [2, 'outer', 0],
    [3, new URL(server.url).host, 2],
    [4, 'inner', 2],
    [6, new URL(server.url).host, 0],
  ])
  expect(run.checkpoints.map(({ name }) => name)).toEqual(['inside', 'after'])
})

it('runs all tools where it is told so', async () => {
  executed = 0
  const run = await expectClean(trace, agent, { tools: 'run' })
  expect([executed, run.steps.length]).toEqual([4, 6])
})

it('finds what a tool that runs does otherwise', async () => {
  const changed = tool('outer', { effect: 'write' }, async (name: string) => [await get(`/changed/${name}`)])
  const run = await replay(trace, async () => [await get('/before'), await changed('a')], { tools: 'run' })
  expect(run.divergences[0]).toMatchObject({ cause: 'input', step: 3, parts: ['url'] })
})

it('runs a function in the place of a tool', async () => {
  executed = 0
  const run = await replay(trace, agent, { tools: { outer: (name: string) => ['instead', name] } })
  expect(executed).toBe(0)
  expect(run.steps.find(({ name }) => name === 'outer')?.output).toEqual(['instead', 'a'])
  expect(run.divergences.map(({ cause }) => cause)).toEqual(['outcome'])
})

it('answers tools that give their result at once, run or not', async () => {
  const add = tool('add', {}, (a: number, b: number) => a + b)
  const sum = async (): Promise<number> => add(add(1, 2), 3) + (await Promise.resolve(add(4, 5)))
  const { trace: added } = await recordRun(sum)
  await expectClean(added, sum)
  await expectClean(added, sum, { tools: 'run' })
})

it('answers the tools of a framework as they were wrapped', async () => {
  const tools = wrapTools({ find: { execute: async ({ id }: { id: string }) => ({ id, found: true }) }, count: async () => 3 })
  const use = async (): Promise<unknown> => [await tools.find.execute({ id: 'a' }), await tools.count()]
  const { trace: used } = await recordRun(use)
  await expectClean(used, use)
})

it('hands each call a value of its own', async () => {
  const find = tool('find', {}, async () => ({ list: [1] }))
  const use = async (): Promise<unknown> => {
    const [first, second] = [await find(), await find()]
    first.list.push(2)
    return [first, second]
  }
  const { trace: used } = await recordRun(use)
  await expectClean(used, use)
  await expectClean(used, use)
})

it('refuses to hand out a value that was not kept, and says which', async () => {
  const find = tool('find', {}, async () => ({ id: 'a', save: () => 1 }))
  const { trace: used } = await recordRun(async () => (await find()).id)
  const run = await replay(used, async () => {
    try {
      return (await find()).id
    } catch (error) {
      return error instanceof Error ? error.message : error
    }
  })
  expect(run.outcome).toMatchObject({ status: 'returned', output: expect.stringContaining('the output of step 1 (find)') })
})

it('answers equal calls in their order', async () => {
  let count = 0
  const next = tool('next', {}, async () => (count += 1))
  const use = async (): Promise<unknown> => [await next(), await Promise.all([next(), next()]), await next()]
  const { trace: used, output } = await recordRun(use)
  expect(output).toEqual([1, [2, 3], 4])
  await expectClean(used, use)
})

it('takes an argument that is undefined at the end for none', async () => {
  const find = tool('find', { effect: 'read' }, async (id?: string, options?: { limit: number }) => `${id} ${options?.limit}`)
  const plain = async (): Promise<unknown> => [await find('a'), await find(), await find('b', { limit: 1 })]
  const explicit = async (): Promise<unknown> => [
    await find('a', undefined),
    await find(undefined, undefined),
    await find('b', { limit: 1 }),
  ]
  await expectClean((await recordRun(plain)).trace, explicit)
  await expectClean((await recordRun(explicit)).trace, plain)
  const recorded = (await recordRun(explicit)).trace
  expect(recorded.steps.map(({ input }) => input)).toEqual(['a', [], ['b', { limit: 1 }]])
  expect((await replay(recorded, async () => await find(undefined, { limit: 1 }))).divergences[0]).toMatchObject({
    cause: 'input',
    step: 1,
  })
})
