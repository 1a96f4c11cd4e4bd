import Anthropic from '@anthropic-ai/sdk'
import { createOpenAI } from '@ai-sdk/openai'
import { tool as langTool } from '@langchain/core/tools'
import { createReactAgent } from '@langchain/langgraph/prebuilt'
import { ChatOpenAI } from '@langchain/openai'
import { generateText, stepCountIs, streamText, tool as aiTool } from 'ai'
import http from 'node:http'
import OpenAI from 'openai'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { startProvider } from '../../examples/world/provider.ts'
import { tool, wrapTools } from '../../src/index.ts'
import { fork, replay } from '../../src/replay.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { recordRun } from '../support/record-run.ts'

/** Asks for the order in the first turn, then says which model it is, what it was told to be, and what it got. */
const provider = await startProvider({
  script({ model, system, messages }) {
    const last = messages.at(-1)
    if (last?.role !== 'tool') return { toolCalls: [{ name: 'get_order', args: { id: last?.text ?? '' } }] }
    return { text: `${model} | ${system.join('')} | ${last.text}` }
  },
})
afterAll(() => provider.close())

interface Question {
  readonly ask: string
}

/** An order is what it is called, in the tool's own words. */
const lookUp = ({ id }: { id: string }): string => `order ${id}`
const getOrder = tool('get_order', { effect: 'read' }, async (args: { id: string }) => lookUp(args))
const SYSTEM = 'Be kind.'
const openai = new OpenAI({ apiKey: 'sk-test', baseURL: provider.openaiBaseUrl, maxRetries: 0 })
const anthropic = new Anthropic({ apiKey: 'sk-test', baseURL: provider.anthropicBaseUrl, maxRetries: 0 })
const vercel = createOpenAI({ apiKey: 'sk-test', baseURL: provider.openaiBaseUrl })

async function openaiAgent({ ask }: Question): Promise<string> {
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: ask },
  ]
  for (;;) {
    const { choices } = await openai.chat.completions.create({ model: 'gpt-4.1', messages })
    const message = choices[0]?.message
    if (message?.tool_calls === undefined) return message?.content ?? ''
    messages.push(message)
    for (const call of message.tool_calls) {
      if (call.type !== 'function') continue
      messages.push({ role: 'tool', tool_call_id: call.id, content: await getOrder(JSON.parse(call.function.arguments) as { id: string }) })
    }
  }
}

async function anthropicAgent({ ask }: Question): Promise<string> {
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: ask }]
  for (;;) {
    const { content } = await anthropic.messages.create({ model: 'claude-sonnet-4-6', max_tokens: 99, system: SYSTEM, messages })
    const calls = content.filter((block) => block.type === 'tool_use')
    if (calls.length === 0) return content.map((block) => (block.type === 'text' ? block.text : '')).join('')
    messages.push({ role: 'assistant', content })
    const results = calls.map(async ({ id, input }) => ({
      type: 'tool_result' as const,
      tool_use_id: id,
      content: await getOrder(input as { id: string }),
    }))
    messages.push({ role: 'user', content: await Promise.all(results) })
  }
}

async function vercelAgent({ ask }: Question): Promise<string> {
  const { textStream } = streamText({
    model: vercel.chat('gpt-4.1'),
    system: SYSTEM,
    prompt: ask,
    tools: wrapTools(
      { get_order: aiTool({ inputSchema: z.object({ id: z.string() }), execute: async (args) => lookUp(args) }) },
      { effects: { get_order: 'read' } },
    ),
    stopWhen: stepCountIs(5),
  })
  let text = ''
  for await (const part of textStream) text += part
  return text
}

/** The agent's own loop over `node:http`. */
async function httpAgent({ ask }: Question): Promise<string> {
  const messages: unknown[] = [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: ask },
  ]
  for (;;) {
    const { choices } = (await post({ model: 'gpt-4.1', messages })) as OpenAI.ChatCompletion
    const message = choices[0]?.message
    if (message?.tool_calls === undefined) return message?.content ?? ''
    messages.push(message)
    for (const call of message.tool_calls) {
      if (call.type !== 'function') continue
      messages.push({ role: 'tool', tool_call_id: call.id, content: await getOrder(JSON.parse(call.function.arguments) as { id: string }) })
    }
  }
}

function post(body: unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', authorization: 'Bearer sk-test' }
    const request = http.request(`${provider.openaiBaseUrl}/chat/completions`, { method: 'POST', headers }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (text += chunk))
      response.on('end', () => resolve(JSON.parse(text)))
      response.on('error', reject)
    })
    request.on('error', reject)
    request.end(JSON.stringify(body))
  })
}

async function langgraphAgent({ ask }: Question): Promise<string> {
  const getOrderTool = langTool(lookUp, { name: 'get_order', description: 'Looks up.', schema: z.object({ id: z.string() }) })
  const llm = new ChatOpenAI({ model: 'gpt-4.1', apiKey: 'sk-test', maxRetries: 0, configuration: { baseURL: provider.openaiBaseUrl } })
  const graph = createReactAgent({ llm, tools: wrapTools([getOrderTool], { effects: { get_order: 'read' } }), prompt: SYSTEM })
  const { messages } = await graph.invoke({ messages: [{ role: 'user', content: ask }] })
  return messages.at(-1)?.text ?? ''
}

const agents: readonly (readonly [name: string, agent: (question: Question) => Promise<string>, model: string])[] = [
  ['openai', openaiAgent, 'gpt-4.1'],
  ['Anthropic', anthropicAgent, 'claude-sonnet-4-6'],
  ['the AI SDK, streamed', vercelAgent, 'gpt-4.1'],
  ['node:http', httpAgent, 'gpt-4.1'],
  ['LangGraph', langgraphAgent, 'gpt-4.1'],
]

describe.each(agents)('a fork of an agent with %s', async (_, agent, model) => {
  const { trace, output } = await recordRun(agent, { input: { ask: 'o1' } })

  /** Expects what a fork came to, and that its trace replays with the same agent, without asking anybody. */
  async function expectFork(forked: { readonly outcome: unknown; toTrace(): Trace }, expected: string): Promise<void> {
    expect(forked.outcome).toEqual({ status: 'returned', output: expected })
    const made = forked.toTrace()
    const asked = provider.exchanges.length
    const again = await replay(made, agent)
    expect(again.divergences).toEqual([])
    expect(again.outcome).toEqual(forked.outcome)
    expect(again.hash).toBe(made.hash)
    expect(provider.exchanges.length).toBe(asked)
  }

  it('was recorded', () => {
    expect(output).toBe(`${model} | ${SYSTEM} | order o1`)
  })

  it('has another system prompt from the step on', async () => {
    const run = await fork(trace, agent, { at: { turn: 2 }, edit: { request: { system: 'Be brief.' } }, then: 'live' })
    await expectFork(run, `${model} | Be brief. | order o1`)
    expect(run.toTrace().header.forkedFrom).toMatchObject({ id: trace.header.id, edit: { request: { system: 'Be brief.' } } })
    const fromTheStart = await fork(trace, agent, { at: { turn: 1 }, edit: { request: { system: 'Be brief.' } }, then: 'live' })
    await expectFork(fromTheStart, `${model} | Be brief. | order o1`)
  })

  it('asks another model', async () => {
    const run = await fork(trace, agent, { at: { turn: 2 }, edit: { request: { model: 'other-model' } }, then: 'live' })
    await expectFork(run, `other-model | ${SYSTEM} | order o1`)
  })

  it('gets another answer of the model', async () => {
    await expectFork(await fork(trace, agent, { at: { turn: 2 }, edit: { answer: 'No order.' } }), 'No order.')
  })

  it('gets another answer of a tool', async () => {
    const run = await fork(trace, agent, { at: { tool: 'get_order' }, edit: { answer: 'lost' }, then: 'live' })
    await expectFork(run, `${model} | ${SYSTEM} | lost`)
  })

  it('has another input', async () => {
    const run = await fork(trace, agent, { at: 1, edit: { input: { ask: 'o2' } }, then: 'live', route: { get_order: 'run' } })
    await expectFork(run, `${model} | ${SYSTEM} | order o2`)
  })

  it('sends what a function makes of the request', async () => {
    const request = (sent: { messages: unknown[]; model: string }): unknown => ({ ...sent, model: 'from-a-function' })
    const run = await fork(trace, agent, { at: { turn: 2 }, edit: { request }, then: 'live' })
    await expectFork(run, `from-a-function | ${SYSTEM} | order o1`)
  })
})

it('calls a tool with other arguments, and replays with the agent as it is', async () => {
  const { trace } = await recordRun(openaiAgent, { input: { ask: 'o1' } })
  const run = await fork(trace, openaiAgent, {
    at: { tool: 'get_order' },
    edit: { request: { arguments: { id: 'o7' } } },
    route: { get_order: 'run' },
    then: 'live',
  })
  expect(run.outcome).toEqual({ status: 'returned', output: `gpt-4.1 | ${SYSTEM} | order o7` })
  const made = run.toTrace()
  expect((await replay(made, openaiAgent)).divergences).toEqual([])
  // An agent that makes neither of the two calls is not the same.
  const other = await replay(made, () => openaiAgent({ ask: 'o9' }))
  expect(other.divergences.length).toBeGreaterThan(0)
})

it('refuses an edit that the dialect cannot make, and says what to do', async () => {
  const { trace } = await recordRun(openaiAgent, { input: { ask: 'o1' } })
  const run = await fork(trace, openaiAgent, { at: { turn: 2 }, edit: { request: { messages: [] } }, then: 'live' })
  expect(run.outcome).toMatchObject({ status: 'stopped', divergence: { reason: expect.stringContaining('function') } })
})

it('tells an agent with another prompt than either from the fork', async () => {
  const agent = async ({ system }: { system: string }): Promise<string> =>
    (await generateText({ model: vercel.chat('gpt-4.1'), system, prompt: 'hello' })).text
  const { trace } = await recordRun(agent, { input: { system: 'old' } })
  const run = await fork(trace, agent, { at: 1, edit: { request: { system: 'new' } }, then: 'live' })
  const made = run.toTrace()
  const verdicts = await Promise.all(
    ['old', 'new', 'third'].map(async (system) => (await replay(made, () => agent({ system }))).divergences.length),
  )
  expect(verdicts).toEqual([0, 0, 1])
})
