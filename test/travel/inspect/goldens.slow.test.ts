import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { AGENT_FILES } from '../../../examples/demo/project-files.ts'
import { readTrace } from '../../../src/replay/traces/read-trace.ts'
import type { InspectedRun } from '../../../src/travel/inspect/inspected-run.ts'
import { decodePageData, type RunPage } from '../../../src/viewer/page-data.ts'
import { createInspectedProject, type InspectedProject, places, readSource, stepOf, variable } from './inspected-project.ts'

// The variables of the example agents at every step of the project's goldens. What is expected is read off the sources in
// examples/support-agent and off what the traces recorded.

let project: InspectedProject

const sdks = ['openai', 'anthropic'] as const
const order = { id: 'ord_1002', status: 'packed', item: 'Office chair', amount: 18900, currency: 'usd' }
const lamp = { id: 'ord_1001', status: 'shipped', item: 'Desk lamp', amount: 4900, currency: 'usd' }

beforeAll(async () => {
  const names = [...new Set([...Object.keys(AGENT_FILES), 'agent-openai.ts', 'agent-anthropic.ts'])]
  const files = await Promise.all(names.map(async (name) => [name, await readSource(`examples/support-agent/${name}`)] as const))
  const goldens = await Promise.all(
    sdks.flatMap((sdk) =>
      ['cancel-unshipped', 'refund-twice'].map(async (name) => {
        const file = `golden-traces/${name}-support-${sdk}.jsonl`
        return [file, await readSource(file)] as const
      }),
    ),
  )
  const agents = Object.fromEntries(sdks.map((sdk) => [`support-${sdk}`, `./agent-${sdk}.ts#supportAgent`]))
  project = await createInspectedProject(agents, Object.fromEntries([...files, ...goldens]), ['openai', '@anthropic-ai/sdk'])
})

afterAll(() => project[Symbol.asyncDispose]())

const inspect = (name: string): Promise<InspectedRun> => project.inspect([name])

it.each(sdks)('reads every step of a run that cancels an order (%s)', async (sdk) => {
  const name = `cancel-unshipped-support-${sdk}`
  const run = await inspect(name)
  const trace = await readTrace(project.resolve(`golden-traces/${name}.jsonl`))
  expect(run).toMatchObject({ name, outcome: 'returned', hash: trace.hash })
  expect(run.steps.map(({ step, name: called }) => [step, called])).toEqual(trace.steps.map(({ step, name: called }) => [step, called]))
  const file = `agent-${sdk}.ts`
  const asks = await project.lineOf(file, sdk === 'openai' ? 'client.chat.completions.create(' : '.stream({')
  const converses = await project.lineOf('loop.ts', 'await conversation.next()')
  const begins = await project.lineOf(file, 'return converse(')
  const [runs, tries] = [await project.lineOf('loop.ts', 'await runToolCall(call)'), await project.lineOf('run-tool.ts', 'await runTool(')]

  // 1: the model is asked the first time, from the agent's own call of `converse`.
  const [first, second, third] = [1, 4, 7].map((number) => stepOf(run, number))
  expect(places(first?.frames)).toEqual([`next ${file}:${asks}`, `converse loop.ts:${converses}`, `supportAgent ${file}:${begins}`])
  expect(variable(first?.frames, 'supportAgent', 'input')).toEqual(trace.header.input)
  expect(variable(first?.frames, 'converse', 'turn')).toBe(0)
  // 4 and 7: `converse` continues, and `supportAgent` waits.
  for (const [index, step] of [second, third].entries()) {
    expect(places(step?.frames)).toEqual([`next ${file}:${asks}`, `converse loop.ts:${converses}`])
    expect(places(step?.waiting)).toEqual([`supportAgent ${file}:${begins}`])
    expect(variable(step?.frames, 'converse', 'turn')).toBe(index + 1)
  }
  const messages = [first, second, third].map(
    (step) => variable(step?.frames, 'next', 'messages') as readonly { role: string; content: string }[],
  )
  // A turn adds the model's message and the tool's.
  const before = sdk === 'openai' ? 2 : 1
  expect(messages.map((each) => each.length)).toEqual([before, before + 2, before + 4])
  expect(messages[0]?.at(-1)).toEqual({ role: 'user', content: (trace.header.input as { ticket: string }).ticket })

  // 2 and 5: the tools, whose functions do not run.
  for (const [number, tool, status] of [
    [2, 'get_order', 'packed'],
    [5, 'cancel_order', 'cancelled'],
  ] as const) {
    const step = stepOf(run, number)
    const line = await project.lineOf('run-tool.ts', tool === 'get_order' ? 'await getOrder(' : 'await cancelOrder(')
    expect(places(step.frames)).toEqual([`runTool run-tool.ts:${line}`, `runToolCall run-tool.ts:${tries}`, `converse loop.ts:${runs}`])
    expect(variable(step.frames, 'runTool', 'name')).toBe(tool)
    expect(variable(step.frames, 'runTool', 'args')).toEqual({ order_id: 'ord_1002' })
    expect(variable(step.frames, 'converse', 'results')).toEqual([])
    // Not declared yet before the call, and read where the function continues.
    expect(variable(step.frames, 'runTool', 'order')).toBeUndefined()
    expect(places(step.after)).toEqual([`runTool run-tool.ts:${line + 1}`])
    expect(variable(step.after, 'runTool', 'order')).toEqual({ ...order, status })
    expect(stepOf(run, number + 1).unread).toEqual([`It is inside ${tool} (step ${number}), whose function does not run in this replay.`])
  }
})

it.each(sdks)('reads a run that is stopped, up to the call that stopped it (%s)', async (sdk) => {
  const run = await inspect(`refund-twice-support-${sdk}`)
  expect(run.outcome).toBe('stopped')
  expect(variable(stepOf(run, 2).after, 'runTool', 'order')).toEqual(lamp)
  const [retries, refunds] = [
    await project.lineOf('with-retry.ts', 'return await attempt()'),
    await project.lineOf('run-tool.ts', 'withRetry(2'),
  ]
  for (const [number, count] of [
    [5, 1],
    [7, 2],
  ] as const) {
    const { frames, waiting } = stepOf(run, number)
    expect(places(frames).slice(0, 2)).toEqual([` run-tool.ts:${refunds}`, `withRetry with-retry.ts:${retries}`])
    expect(variable(frames, 'withRetry', 'count')).toBe(count)
    expect(variable(frames, 'withRetry', 'times')).toBe(2)
    expect(variable(frames, '', 'args')).toEqual({ order_id: 'ord_1001', amount: 4900 })
    // The function in which the call is made returns its promise, and does not continue; its second call is none of the first.
    expect(stepOf(run, number).after).toBeUndefined()
    expect(places([...frames, ...waiting])).toContain(`runTool run-tool.ts:${refunds}`)
  }
  expect(stepOf(run, 9).unread).toEqual(['The agent did not make this call.'])
})

it('puts the variables of each step on its page', async () => {
  const { status, stderr } = await project.run(['view', 'cancel-unshipped-support-openai', '--variables', '--out', 'page.html'])
  expect([status, stderr]).toEqual([0, ''])
  const [, zipped = ''] = /id="data">([^<]*)</.exec(await project.read('page.html')) ?? []
  const page = decodePageData(gunzipSync(Buffer.from(zipped, 'base64')).toString()) as RunPage
  const frames = page.runs[0]?.variables?.[5] ?? []
  const [before, after] = [frames.find(({ moment }) => moment === 'before'), frames.find(({ moment }) => moment === 'after')]
  expect(before?.place).toMatch(/^runTool {2}run-tool\.ts:\d+:\d+$/)
  // The line of the source that calls the tool.
  expect(await project.read('run-tool.ts')).toContain(before?.source ?? 'nothing')
  expect(before?.variables).toContainEqual(['name', '"cancel_order"'])
  expect(after?.variables).toContainEqual(['order', expect.stringContaining('status: "cancelled"')])
})

it('reads the same of a loaded trace', async () => {
  const name = 'cancel-unshipped-support-openai'
  const program = `import { inspect, readTrace } from 'goldenrun/replay'
console.log(JSON.stringify(await inspect(await readTrace('${name}'))))
`
  await project.write('inspect-loaded.ts', program)
  const { stdout } = await project.runNode(['inspect-loaded.ts'])
  expect(JSON.parse(stdout)).toEqual(await inspect(name))
})
