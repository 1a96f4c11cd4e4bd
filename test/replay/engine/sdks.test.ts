import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startProvider } from '../../../examples/world/provider.ts'
import type { Turn } from '../../../examples/world/turn.ts'
import { withUsage } from '../../../src/replay/traces/read-trace.ts'
import { checkpoint } from '../../../src/run/checkpoint.ts'
import { tool } from '../../../src/run/tool.ts'
import type { Trace } from '../../../src/trace/trace.ts'
import { recordRun } from '../../support/record-run.ts'
import { expectClean } from '../../support/replay-clean.ts'

const script: readonly Turn[] = [
  {
    text: 'Let me look.',
    toolCalls: [
      { name: 'get_order', args: { id: 'ord_1' } },
      { name: 'get_order', args: { id: 'ord_2' } },
    ],
    chunks: 5,
    chunkDelayMs: 1,
  },
  { text: 'Both are packed. Grüße!', chunks: 4, chunkDelayMs: 1 },
]

const provider = await startProvider({ script })

// At module load, before any door is opened: as in nearly every program.
const earlyOpenAI = new OpenAI({ apiKey: 'sk-test', baseURL: provider.openaiBaseUrl })
const earlyAnthropic = new Anthropic({ apiKey: 'sk-test', baseURL: provider.anthropicBaseUrl })
const lateOpenAI = (): OpenAI => new OpenAI({ apiKey: 'sk-test', baseURL: provider.openaiBaseUrl })
const lateAnthropic = (): Anthropic => new Anthropic({ apiKey: 'sk-test', baseURL: provider.anthropicBaseUrl })

const getOrder = tool('get_order', { effect: 'read' }, async ({ id }: { id: string }) => ({ id, status: 'packed' }))
const parameters = { type: 'object' as const, properties: { id: { type: 'string' } }, required: ['id'] }

async function chat(client: OpenAI, stream: boolean): Promise<unknown> {
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'system', content: 'You help.' },
    { role: 'user', content: 'Where are ord_1 and ord_2?' },
  ]
  const tools: OpenAI.ChatCompletionTool[] = [{ type: 'function', function: { name: 'get_order', parameters } }]
  for (;;) {
    const request = { model: 'gpt-4.1', messages, tools }
    const completion = stream
      ? await client.chat.completions.stream({ ...request, stream_options: { include_usage: true } }).finalChatCompletion()
      : await client.chat.completions.create(request)
    const { message } = completion.choices[0] ?? { message: undefined }
    if (message === undefined) throw new Error('no answer')
    messages.push(message)
    checkpoint('answered', { text: message.content, tokens: completion.usage?.total_tokens })
    if (message.tool_calls === undefined || message.tool_calls.length === 0) return message.content
    const results = await Promise.all(
      message.tool_calls.map(async (call) => (call.type === 'function' ? await getOrder(JSON.parse(call.function.arguments)) : {})),
    )
    for (const [index, result] of results.entries()) {
      messages.push({ role: 'tool', tool_call_id: message.tool_calls[index]?.id ?? '', content: JSON.stringify(result) })
    }
  }
}

async function respond(client: OpenAI, stream: boolean): Promise<unknown> {
  const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'Where are ord_1 and ord_2?' }]
  const tools: OpenAI.Responses.Tool[] = [{ type: 'function', name: 'get_order', parameters, strict: false }]
  for (;;) {
    const request = { model: 'gpt-4.1', instructions: 'You help.', input, tools }
    const response = stream ? await client.responses.stream(request).finalResponse() : await client.responses.create(request)
    const calls = response.output.flatMap((item) => (item.type === 'function_call' ? [item] : []))
    if (calls.length === 0) return response.output_text
    input.push({ role: 'assistant', content: response.output_text })
    for (const { name, arguments: text, call_id } of calls) input.push({ type: 'function_call', name, arguments: text, call_id })
    const results = await Promise.all(calls.map((call) => getOrder(JSON.parse(call.arguments))))
    for (const [index, { call_id }] of calls.entries()) {
      input.push({ type: 'function_call_output', call_id, output: JSON.stringify(results[index]) })
    }
  }
}

async function converse(client: Anthropic, stream: boolean): Promise<unknown> {
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Where are ord_1 and ord_2?' }]
  const tools: Anthropic.Tool[] = [{ name: 'get_order', input_schema: parameters }]
  for (;;) {
    const request = { model: 'claude-test', max_tokens: 100, system: 'You help.', messages, tools }
    const message = stream ? await client.messages.stream(request).finalMessage() : await client.messages.create(request)
    messages.push({ role: 'assistant', content: message.content })
    const calls = message.content.flatMap((block) => (block.type === 'tool_use' ? [block] : []))
    if (calls.length === 0) return message.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('')
    const results = await Promise.all(calls.map(({ input }) => getOrder(input as { id: string })))
    const content = calls.map(({ id }, index): Anthropic.ToolResultBlockParam => ({
      type: 'tool_result',
      tool_use_id: id,
      content: JSON.stringify(results[index]),
    }))
    messages.push({ role: 'user', content })
  }
}

const agents: Readonly<Record<string, () => Promise<unknown>>> = {
  'openai chat, JSON, client made early': () => chat(earlyOpenAI, false),
  'openai chat, JSON, client made late': () => chat(lateOpenAI(), false),
  'openai chat, streamed, client made early': () => chat(earlyOpenAI, true),
  'openai chat, streamed, client made late': () => chat(lateOpenAI(), true),
  'openai responses, JSON': () => respond(earlyOpenAI, false),
  'openai responses, streamed': () => respond(lateOpenAI(), true),
  'anthropic, JSON, client made early': () => converse(earlyAnthropic, false),
  'anthropic, JSON, client made late': () => converse(lateAnthropic(), false),
  'anthropic, streamed, client made early': () => converse(earlyAnthropic, true),
  'anthropic, streamed, client made late': () => converse(lateAnthropic(), true),
}

const traces = new Map<string, Trace>()
beforeAll(async () => {
  for (const [name, agent] of Object.entries(agents)) traces.set(name, (await recordRun(agent)).trace)
  await provider.close()
})
afterAll(() => provider.close())

for (const [name, agent] of Object.entries(agents)) {
  it(`replays ${name}`, async () => {
    const trace = traces.get(name)
    if (trace === undefined) throw new Error('not recorded')
    const run = await expectClean(trace, agent)
    expect(run.outcome).toEqual({ status: 'returned', output: 'Both are packed. Grüße!' })
    expect(run.modelCalls.map(({ answer }) => answer?.text)).toEqual(['Let me look.', 'Both are packed. Grüße!'])
    expect(run.toolCalls.map(({ name: called, args, source }) => [called, args, source])).toEqual([
      ['get_order', { id: 'ord_1' }, 'ran'],
      ['get_order', { id: 'ord_2' }, 'ran'],
    ])
    expect(run.steps.map(({ boundary }) => boundary)).toEqual(['model', 'tool', 'tool', 'model'])
    expect(run.usage.inputTokens).toBeGreaterThan(0)
    expect(run.usage).toEqual(withUsage(trace).end?.usage)
  })
}

it('answers a client that was made late from the recording of one that was made early, and the other way round', async () => {
  for (const [recorded, replayed] of [
    ['openai chat, streamed, client made early', 'openai chat, streamed, client made late'],
    ['openai chat, streamed, client made late', 'openai chat, streamed, client made early'],
    ['anthropic, JSON, client made early', 'anthropic, JSON, client made late'],
  ]) {
    const [trace, agent] = [traces.get(recorded ?? ''), agents[replayed ?? '']]
    if (trace === undefined || agent === undefined) throw new Error('not recorded')
    await expectClean(trace, agent)
  }
})

it('gives every replay the same hash', async () => {
  const name = 'openai chat, streamed, client made late'
  const [trace, agent] = [traces.get(name), agents[name]]
  if (trace === undefined || agent === undefined) throw new Error('not recorded')
  const hashes = new Set<string>()
  for (let time = 0; time < 8; time += 1) hashes.add((await expectClean(trace, agent)).hash)
  expect([...hashes]).toEqual([trace.hash])
})
