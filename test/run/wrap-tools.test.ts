import { type FunctionTool, tool as agentTool, webSearchTool } from '@openai/agents'
import { RunnableLambda } from '@langchain/core/runnables'
import { tool as langchainTool } from '@langchain/core/tools'
import { Command } from '@langchain/langgraph'
import { tool as defineTool } from 'ai'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { promote } from '../../src/goldens/promote.ts'
import { tool } from '../../src/run/tool.ts'
import { wrapTools } from '../../src/run/wrap-tools.ts'
import { recordRun } from '../support/record-run.ts'

const findOrder = defineTool({
  description: 'Finds an order',
  inputSchema: z.object({ id: z.string() }),
  execute: async ({ id }, { toolCallId }) => ({ id, toolCallId }),
})

const callOptions = { toolCallId: 'call_1', messages: [{ role: 'user' as const, content: 'Where is it?' }], context: {} }

const fields = { name: 'find_order', description: 'Finds an order', schema: z.object({ id: z.string() }) }
const agentFields = { name: 'find_order', description: 'Finds an order', parameters: z.object({ id: z.string() }) }

it('returns the same shape, and calls through outside a run', async () => {
  const plain = async (args: { id: string }): Promise<string> => args.id
  const tools = { findOrder, plain, hosted: { type: 'provider' } }
  const wrapped = wrapTools(tools)
  expect(Object.keys(wrapped)).toEqual(['findOrder', 'plain', 'hosted'])
  expect(wrapped.hosted).toBe(tools.hosted)
  expect({ ...wrapped.findOrder, execute: undefined }).toEqual({ ...findOrder, execute: undefined })
  expect(wrapped.plain).toHaveLength(1)
  await expect(wrapped.plain({ id: 'ord_1' })).resolves.toBe('ord_1')
  expect(await wrapped.findOrder.execute?.({ id: 'ord_1' }, callOptions)).toEqual({ id: 'ord_1', toolCallId: 'call_1' })
})

it('leaves plain objects that it was given as they were, frozen ones too', async () => {
  const { execute } = findOrder
  const frozen = Object.freeze({ ...findOrder })
  const wrapped = wrapTools({ findOrder, frozen })
  expect([findOrder.execute, frozen.execute]).toEqual([execute, execute])
  const { trace } = await recordRun(async () => await wrapped.frozen.execute?.({ id: 'ord_1' }, callOptions))
  expect(trace.steps).toMatchObject([{ name: 'frozen', input: { id: 'ord_1' } }])
})

it('makes a step of a plain function, whose arguments are its input', async () => {
  const tools = wrapTools(
    { cancel_order: async (args: { id: string }) => args.id, add: (a: number, b: number) => a + b },
    { effects: { cancel_order: 'write' } },
  )
  const { trace } = await recordRun(async () => [await tools.cancel_order({ id: 'ord_1' }), tools.add(1, 2)])
  expect(trace.steps).toMatchObject([
    { boundary: 'tool', name: 'cancel_order', effect: 'write', input: { id: 'ord_1' }, output: 'ord_1' },
    { boundary: 'tool', name: 'add', input: [1, 2], output: 3 },
  ])
})

it('makes a step of an AI SDK tool, with its first argument as the input', async () => {
  const tools = wrapTools({ find_order: findOrder })
  const { trace, output } = await recordRun(async () => await tools.find_order.execute?.({ id: 'ord_1' }, callOptions))
  expect(output).toEqual({ id: 'ord_1', toolCallId: 'call_1' })
  expect(trace.steps).toMatchObject([
    { boundary: 'tool', name: 'find_order', input: { id: 'ord_1' }, output: { id: 'ord_1', toolCallId: 'call_1' } },
  ])
})

it('keeps `this` of a tool object whose function uses it, private fields too', async () => {
  class Greeter {
    readonly #greeting = 'Hello'
    execute({ name }: { name: string }): string {
      return `${this.#greeting} ${name}`
    }
  }
  const tools = wrapTools({ greet: new Greeter() })
  expect(tools.greet).toBeInstanceOf(Greeter)
  const { output, trace } = await recordRun(() => tools.greet.execute({ name: 'Ada' }))
  expect(output).toEqual('Hello Ada')
  expect(trace.steps).toMatchObject([{ name: 'greet', input: { name: 'Ada' }, output: 'Hello Ada' }])
})

it('makes a step of a tool of LlamaIndex, which keeps its name in its metadata', async () => {
  // As FunctionTool of @llamaindex/core: its function is out of reach, and `call` is a field of each.
  class FunctionTool {
    readonly #body = ({ id }: { id: string }): string => `${id} is packed`
    readonly call: (input: { id: string }) => string = (input) => this.#body(input)
    get metadata(): { name: string } {
      return { name: 'find_order' }
    }
  }
  const [wrapped] = wrapTools([new FunctionTool()], { effects: { find_order: 'read' } })
  expect(wrapped).toBeInstanceOf(FunctionTool)
  expect(wrapped?.metadata).toEqual({ name: 'find_order' })
  const { output, trace } = await recordRun(() => wrapped?.call({ id: 'ord_1' }))
  expect(output).toBe('ord_1 is packed')
  expect(trace.steps).toMatchObject([
    { boundary: 'tool', name: 'find_order', effect: 'read', input: { id: 'ord_1' }, output: 'ord_1 is packed' },
  ])
})

it('gives an array for an array, with the names that the tools have themselves', async () => {
  async function count(): Promise<number> {
    return 3
  }
  const lang = langchainTool(async ({ id }: { id: string }) => id, { ...fields, name: 'lang_order' })
  const invokable = RunnableLambda.from(async ({ id }: { id: string }) => id).asTool({ ...fields, name: 'runnable_order' })
  const agent = agentTool({ ...agentFields, name: 'agent_order', execute: async ({ id }) => id }) as unknown as FunctionTool
  const given = [count, lang, invokable, agent] as const
  const tools = wrapTools([...given], { effects: { lang_order: 'read' } }) as unknown as typeof given
  expect(Array.isArray(tools)).toBe(true)
  const toolCall = { type: 'tool_call' as const, name: 'runnable_order', id: 'call_1', args: { id: 'b' } }
  const { trace } = await recordRun(async () => [
    await tools[0](),
    await tools[1].invoke({ id: 'a' }, { configurable: { thread_id: '1' }, signal: new AbortController().signal }),
    await tools[2].invoke(toolCall),
    await tools[3].invoke({} as never, '{"id":"c"}', { signal: new AbortController().signal }),
  ])
  expect(trace.steps.map(({ name, input, output, effect }) => [name, input, output, effect])).toEqual([
    ['count', [], 3, undefined],
    ['lang_order', { id: 'a' }, 'a', 'read'],
    ['runnable_order', { id: 'b' }, 'b', undefined],
    ['agent_order', { id: 'c' }, 'c', undefined],
  ])
  expect(trace.rows.filter(({ kind }) => kind === 'note')).toEqual([])
})

it('names a tool of a record by its own name where the model knows it by that', async () => {
  const tools = wrapTools({ lang: langchainTool(async ({ id }: { id: string }) => id, fields) })
  const { trace } = await recordRun(async () => await tools.lang.invoke({ id: 'a' }))
  expect(trace.steps.map(({ name }) => name)).toEqual(['find_order'])
})

it('wraps a tool once that is wrapped twice', async () => {
  const lang = langchainTool(async ({ id }: { id: string }) => id, fields)
  const tools = { lang, plain: async () => 1, findOrder }
  const wrapped = wrapTools(wrapTools(tools))
  wrapTools([lang], { effects: { find_order: 'write' } })
  const { trace } = await recordRun(async () => {
    await wrapped.lang.invoke({ id: 'a' })
    await wrapped.plain()
    await wrapped.findOrder.execute?.({ id: 'b' }, callOptions)
  })
  expect(trace.steps.map(({ name, effect }) => [name, effect])).toEqual([
    ['find_order', 'write'],
    ['plain', undefined],
    ['findOrder', undefined],
  ])
})

it('takes what a model printed as it is where that is no JSON', async () => {
  const find = wrapTools({ find: agentTool({ ...agentFields, execute: async ({ id }) => id }) }).find
  const { trace } = await recordRun(async () => await find.invoke({} as never, '{"id":'))
  expect(trace.steps).toMatchObject([{ name: 'find_order', input: '{"id":', output: expect.stringContaining('An error occurred') }])
})

it('returns tools as they are that run elsewhere', () => {
  const tools = [
    webSearchTool(),
    { type: 'web_search_20250305', name: 'web_search' },
    defineTool({ inputSchema: z.object({ id: z.string() }) }),
    { type: 'provider', id: 'openai.web_search', args: {}, inputSchema: () => ({}) },
  ]
  expect(wrapTools(tools).map((wrapped, index) => wrapped === tools[index])).toEqual([true, true, true, true])
})

const supported =
  'Supported: functions, LangChain tools, OpenAI Agents tools, LangChain runnables made with asTool, AI SDK, Mastra and VoltAgent tools, LlamaIndex tools, runnable tools of the Anthropic SDK, MCP clients.'

it.each([
  [[{ run: 1, name: 'find_order' }], `has a value that cannot be wrapped at 0: an object with run, name. ${supported}`],
  [{ find: 'find_order' }, `has a value that cannot be wrapped at find: a string. ${supported}`],
  [{ find: null }, `has a value that cannot be wrapped at find: null. ${supported}`],
  [
    [{ type: 'function', function: { name: 'find_order', parameters: {} } }],
    `has a value that cannot be wrapped at 0: an object with type, function. ${supported}`,
  ],
  [[findOrder], 'has a tool without a name at 0. Pass a record whose keys are the names.'],
  [[async () => 1], 'has a tool without a name at 0. Pass a record whose keys are the names.'],
  [
    { find: Object.assign(async () => 1, { __action: { name: 'find_order' } }) },
    'has a Genkit tool at find, which Genkit runs from its own registry. Wrap the function that you pass to defineTool: tool(name, options, function).',
  ],
])('refuses a tool that it does not know: %j', (tools, problem) => {
  expect(() => wrapTools(tools as object)).toThrow(`wrapTools: the option "tools" ${problem}`)
})

it('refuses an effect of a tool that is not there', () => {
  const find = langchainTool(async ({ id }: { id: string }) => id, fields)
  expect(() => wrapTools({ find }, { effects: { find: 'read' } })).toThrow(
    'wrapTools: the option "effects" names find, which is not among the tools: find_order.',
  )
})

it('makes promote refuse a command of LangGraph, which no trace revives', async () => {
  const move = langchainTool(async ({ id }: { id: string }) => new Command({ update: { id } }), { ...fields, name: 'move' })
  const [wrapped] = wrapTools([move])
  const { trace } = await recordRun(async () => void (await wrapped?.invoke({ id: 'a' })))
  await expect(promote(trace, { name: 'moved' })).rejects.toThrow(
    'it lacks a value that could not be recorded: move output: an instance of Command, which LangChain accepts only from the tool itself.',
  )
})

it.each([
  ['the AI SDK', callOptions],
  ['LangChain', { tags: [], metadata: {}, recursionLimit: 25, callbacks: () => undefined }],
  ['a signal', new AbortController().signal],
  ['Genkit', { context: {}, sendChunk: () => undefined, registry: { self: callOptions }, interrupt: () => undefined }],
  ['VoltAgent', { operationId: 'a', context: new Map(), systemContext: new Map(), logger: { info: () => undefined } }],
])('takes nothing of %s for the input of a function', async (_, beside) => {
  const find = tool('find', {}, async (args: unknown, ..._beside: unknown[]) => args)
  const { trace } = await recordRun(async () => [await find({ id: 'a' }, beside), await find({ id: 'a' }, { limit: 1 })])
  expect(trace.steps.map(({ input }) => input)).toEqual([{ id: 'a' }, [{ id: 'a' }, { limit: 1 }]])
})
