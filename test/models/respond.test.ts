import Anthropic from '@anthropic-ai/sdk'
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, jsonSchema, streamText, type ToolSet } from 'ai'
import OpenAI from 'openai'
import { expect, it } from 'vitest'
import { anthropicMessages } from '../../src/models/anthropic-messages.ts'
import type { AnswerParts, AnswerSpec, ModelResponse } from '../../src/models/dialect.ts'
import { dialectNamed } from '../../src/models/dialects.ts'
import { openaiChat } from '../../src/models/openai-chat.ts'
import { openaiResponses } from '../../src/models/openai-responses.ts'
import { recogniseDialect } from '../../src/models/recognise-dialect.ts'

/** What a client made of an answer. */
interface Received {
  readonly text: string
  readonly calls: readonly { readonly id: string; readonly name: string; readonly args: unknown }[]
  readonly reasoning?: string
  readonly stop: unknown
}

type Client = (answer: AnswerSpec) => Promise<Received>

const ARGS = { id: 'ord_1', note: 'líne\nbreak "quoted" 👋', lines: [1, 2.5, null] }

const specs: readonly (readonly [what: string, answer: AnswerSpec, parts: Required<AnswerParts>])[] = [
  ['a text', 'Hello 👋\n\nthere: "you"', { text: 'Hello 👋\n\nthere: "you"', toolCalls: [], reasoning: '' }],
  ['an empty text', '', { text: '', toolCalls: [], reasoning: '' }],
  ['nothing', {}, { text: '', toolCalls: [], reasoning: '' }],
  [
    'a tool call',
    { toolCalls: [{ name: 'get_order', args: ARGS }] },
    { text: '', toolCalls: [{ name: 'get_order', args: ARGS }], reasoning: '' },
  ],
  [
    'a text, two tool calls and reasoning',
    { text: 'Let me look.', reasoning: 'Which order?', toolCalls: [{ name: 'get_order', args: ARGS }, { name: 'find_refund' }] },
    {
      text: 'Let me look.',
      reasoning: 'Which order?',
      toolCalls: [
        { name: 'get_order', args: ARGS },
        { name: 'find_refund', args: {} },
      ],
    },
  ],
]

const clients: readonly (readonly [name: string, client: Client, idPrefix: string])[] = [
  ['openai chat, JSON', openaiChatJson, 'call'],
  ['openai chat, stream', openaiChatStream, 'call'],
  ['openai responses, JSON', openaiResponsesJson, 'call'],
  ['openai responses, stream', openaiResponsesStream, 'call'],
  ['anthropic messages, JSON', anthropicJson, 'toolu'],
  ['anthropic messages, stream', anthropicStream, 'toolu'],
  ['AI SDK chat, JSON', (answer) => aiSdkJson('chat', answer), 'call'],
  ['AI SDK chat, stream', (answer) => aiSdkStream('chat', answer), 'call'],
  ['AI SDK responses, JSON', (answer) => aiSdkJson('responses', answer), 'call'],
  ['AI SDK responses, stream', (answer) => aiSdkStream('responses', answer), 'call'],
]

const cases = clients.flatMap(([name, client, idPrefix]) =>
  specs.map(([what, answer, parts]) => [what, name, client, idPrefix, answer, parts] as const),
)

it.each(cases)('answers %s as %s reads it', async (_, name, client, idPrefix, answer, { text, toolCalls, reasoning }) => {
  const received = await client(answer)
  expect(received.text).toBe(text)
  expect(received.calls).toEqual(
    toolCalls.map((call, index) => ({ id: `${idPrefix}_goldenrun_1_${index + 1}`, name: call.name, args: call.args })),
  )
  expect(received.stop).toBe(toolCalls.length > 0 ? 'tool-calls' : 'end')
  // The AI SDK's chat model does not read the field that other providers added to this dialect.
  expect(received.reasoning ?? '').toBe(name.startsWith('AI SDK chat') ? '' : reasoning)
})

const dialects = [openaiChat, openaiResponses, anthropicMessages].map((dialect) => ({ name: dialect.name, dialect }))

it.each(dialects)('reads its own answers as they were meant ($name)', ({ dialect }) => {
  for (const [, answer, { text, toolCalls, reasoning }] of specs) {
    for (const stream of [false, true]) {
      const { headers, body } = dialect.respond(answer, { model: 'm', stream }, '')
      const read = dialect.answer({ text: String(body) }, headers[0]?.[1])
      expect(read).toMatchObject({ model: 'm', text, ...(reasoning !== '' && { reasoning }) })
      expect(read.toolCalls.map(({ name, args }) => ({ name, args }))).toEqual(toolCalls.map(({ name, args }) => ({ name, args })))
      expect(read.stopReason).toBe(toolCalls.length > 0 ? 'tool-calls' : 'end')
      expect(read.error).toBe(undefined)
    }
  }
})

it.each(dialects)('gives the same bytes for the same request ($name)', ({ dialect }) => {
  for (const stream of [false, true]) {
    const make = (): ModelResponse => dialect.respond({ text: 'a', toolCalls: [{ name: 'f' }] }, { model: 'm', stream }, '')
    expect(make()).toEqual(make())
  }
})

it('counts ids on from turn to turn, over a history that is resent or trimmed', () => {
  const messages: unknown[] = []
  const ids: string[] = []
  for (let turn = 1; turn <= 4; turn++) {
    const { body } = openaiChat.respond({ toolCalls: [{ name: 'f' }, { name: 'f' }] }, { model: 'm', messages: messages.slice(-3) }, '')
    const calls = openaiChat.answer({ text: String(body) }, undefined).toolCalls
    ids.push(...calls.map(({ id }) => id ?? ''))
    messages.push({
      role: 'assistant',
      content: null,
      tool_calls: calls.map(({ id }) => ({ id, function: { name: 'f', arguments: '{}' } })),
    })
    messages.push(...calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'done' })))
  }
  expect(ids).toEqual([1, 2, 3, 4].flatMap((turn) => [`call_goldenrun_${turn}_1`, `call_goldenrun_${turn}_2`]))
})

it('counts the turns of a history without tool calls', () => {
  const messages = [{ role: 'user' }, { role: 'assistant' }, { role: 'user' }, { role: 'assistant' }]
  expect(JSON.parse(String(openaiChat.respond('a', { model: 'm', messages }, '').body)).id).toBe('chatcmpl_goldenrun_3')
})

it('counts ids on over a chain of responses that resends nothing', () => {
  const idOf = (previous?: string): unknown => {
    const { body } = openaiResponses.respond('a', { model: 'm', input: 'b', ...(previous && { previous_response_id: previous }) }, '')
    return JSON.parse(String(body)).id
  }
  expect(idOf()).toBe('resp_goldenrun_1')
  expect(idOf('resp_goldenrun_1')).toBe('resp_goldenrun_2')
  expect(idOf('resp_68a')).toBe('resp_goldenrun_1')
})

it('keeps the id that an answer gives to a tool call', () => {
  const { body } = anthropicMessages.respond({ toolCalls: [{ id: 'toolu_mine', name: 'f' }] }, { model: 'm' }, '')
  expect(anthropicMessages.answer({ text: String(body) }, undefined).toolCalls).toEqual([{ id: 'toolu_mine', name: 'f', args: {} }])
})

it('sends the usage chunk of a chat stream only where it was asked for', () => {
  const bodyFor = (options: object): string => String(openaiChat.respond('a', { model: 'm', stream: true, ...options }, '').body)
  expect(bodyFor({})).not.toContain('usage')
  expect(bodyFor({ stream_options: { include_usage: true } })).toContain('"choices":[],"usage":{"prompt_tokens":0,')
})

it('frames a chat stream as OpenAI does', () => {
  const { headers, body } = openaiChat.respond({ toolCalls: [{ name: 'f', args: { a: 1 } }] }, { model: 'm', stream: true }, '')
  const chunk = (delta: string, finish: string): string =>
    'data: {"id":"chatcmpl_goldenrun_1","created":0,"model":"m","object":"chat.completion.chunk",' +
    `"choices":[{"index":0,"delta":${delta},"logprobs":null,"finish_reason":${finish}}]}\n\n`
  expect(headers).toEqual([['content-type', 'text/event-stream; charset=utf-8']])
  expect(body).toBe(
    chunk('{"role":"assistant","content":null,"refusal":null}', 'null') +
      chunk('{"tool_calls":[{"index":0,"id":"call_goldenrun_1_1","type":"function","function":{"name":"f","arguments":""}}]}', 'null') +
      chunk('{"tool_calls":[{"index":0,"function":{"arguments":"{\\"a\\":1}"}}]}', 'null') +
      chunk('{}', '"tool_calls"') +
      'data: [DONE]\n\n',
  )
})

it('frames a messages stream as Anthropic does', () => {
  const { body } = anthropicMessages.respond({ text: 'a', toolCalls: [{ name: 'f', args: { a: 1 } }] }, { model: 'm', stream: true }, '')
  const usage = '"usage":{"input_tokens":0,"output_tokens":0,"cache_creation_input_tokens":0,"cache_read_input_tokens":0}'
  expect(String(body).split('\n\n')).toEqual([
    'event: message_start\ndata: {"type":"message_start","message":{"id":"msg_goldenrun_1","type":"message","role":"assistant","model":"m",' +
      `"content":[],"stop_reason":null,"stop_sequence":null,${usage}}}`,
    'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","citations":null,"text":""}}',
    'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"}}',
    'event: content_block_stop\ndata: {"type":"content_block_stop","index":0}',
    'event: content_block_start\ndata: {"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"toolu_goldenrun_1_1","name":"f","input":{}}}',
    'event: content_block_delta\ndata: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\\"a\\":1}"}}',
    'event: content_block_stop\ndata: {"type":"content_block_stop","index":1}',
    'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":0}}',
    'event: message_stop\ndata: {"type":"message_stop"}',
    '',
  ])
})

it('frames a responses stream as OpenAI does', () => {
  const { body } = openaiResponses.respond({ text: 'a', toolCalls: [{ name: 'f' }] }, { model: 'm', stream: true }, '')
  const events = String(body)
    .split('\n\n')
    .slice(0, -1)
    .map((event) => event.split('\n'))
  const data = events.map(([, line]) => JSON.parse(String(line?.slice('data: '.length))))
  expect(events.map(([line]) => line)).toEqual(data.map(({ type }) => `event: ${type}`))
  expect(data.map((event) => event.sequence_number)).toEqual(Array.from(data.keys()))
  expect(data.map(({ type, output_index: index, item_id: item }) => [type, index, item])).toEqual([
    ['response.created', undefined, undefined],
    ['response.in_progress', undefined, undefined],
    ['response.output_item.added', 0, undefined],
    ['response.content_part.added', 0, 'msg_goldenrun_1'],
    ['response.output_text.delta', 0, 'msg_goldenrun_1'],
    ['response.output_text.done', 0, 'msg_goldenrun_1'],
    ['response.content_part.done', 0, 'msg_goldenrun_1'],
    ['response.output_item.done', 0, undefined],
    ['response.output_item.added', 1, undefined],
    ['response.function_call_arguments.delta', 1, 'fc_goldenrun_1_1'],
    ['response.function_call_arguments.done', 1, 'fc_goldenrun_1_1'],
    ['response.output_item.done', 1, undefined],
    ['response.completed', undefined, undefined],
  ])
})

function openai(answer: AnswerSpec): OpenAI {
  return new OpenAI({ apiKey: 'none', baseURL: 'http://model.test/v1', maxRetries: 0, fetch: answering(answer) })
}

async function openaiChatJson(answer: AnswerSpec): Promise<Received> {
  const { choices } = await openai(answer).chat.completions.create({ model: 'm', messages: [{ role: 'user', content: 'hi' }] })
  return receivedOfChat(choices[0]?.message, choices[0]?.finish_reason)
}

async function openaiChatStream(answer: AnswerSpec): Promise<Received> {
  const stream = openai(answer).chat.completions.stream({
    model: 'm',
    messages: [{ role: 'user', content: 'hi' }],
    stream_options: { include_usage: true },
  })
  let reasoning = ''
  stream.on('chunk', ({ choices }) => (reasoning += String(Reflect.get(choices[0]?.delta ?? {}, 'reasoning_content') ?? '')))
  const { choices, usage } = await stream.finalChatCompletion()
  expect(usage?.total_tokens).toBe(0)
  return { ...receivedOfChat(choices[0]?.message, choices[0]?.finish_reason), reasoning }
}

function receivedOfChat(message: OpenAI.ChatCompletionMessage | undefined, finish: string | undefined): Received {
  const calls = (message?.tool_calls ?? []).filter((call) => call.type === 'function')
  return {
    text: message?.content ?? '',
    calls: calls.map((call) => ({ id: call.id, name: call.function.name, args: JSON.parse(call.function.arguments) })),
    reasoning: String(Reflect.get(message ?? {}, 'reasoning_content') ?? ''),
    stop: finish === 'tool_calls' ? 'tool-calls' : finish === 'stop' ? 'end' : finish,
  }
}

async function openaiResponsesJson(answer: AnswerSpec): Promise<Received> {
  return receivedOfResponse(await openai(answer).responses.create({ model: 'm', input: 'hi' }))
}

async function openaiResponsesStream(answer: AnswerSpec): Promise<Received> {
  const stream = openai(answer).responses.stream({ model: 'm', input: 'hi' })
  let text = ''
  stream.on('response.output_text.delta', (event) => (text += event.delta))
  const received = receivedOfResponse(await stream.finalResponse())
  expect(text).toBe(received.text)
  return received
}

function receivedOfResponse(response: OpenAI.Responses.Response): Received {
  const calls = response.output.filter((item) => item.type === 'function_call')
  const reasoning = response.output.filter((item) => item.type === 'reasoning').flatMap((item) => item.summary.map(({ text }) => text))
  return {
    text: response.output_text,
    calls: calls.map((item) => ({ id: item.call_id, name: item.name, args: JSON.parse(item.arguments) })),
    reasoning: reasoning.join(''),
    stop: response.status !== 'completed' ? response.status : calls.length > 0 ? 'tool-calls' : 'end',
  }
}

function anthropic(answer: AnswerSpec): Anthropic {
  return new Anthropic({ apiKey: 'none', baseURL: 'http://model.test', maxRetries: 0, fetch: answering(answer) })
}

async function anthropicJson(answer: AnswerSpec): Promise<Received> {
  return receivedOfMessage(
    await anthropic(answer).messages.create({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] }),
  )
}

async function anthropicStream(answer: AnswerSpec): Promise<Received> {
  const stream = anthropic(answer).messages.stream({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] })
  return receivedOfMessage(await stream.finalMessage())
}

function receivedOfMessage({ content, stop_reason: stop }: Anthropic.Message): Received {
  const calls = content.filter((block) => block.type === 'tool_use')
  return {
    text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    calls: calls.map(({ id, name, input }) => ({ id, name, args: input })),
    reasoning: content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join(''),
    stop: stop === 'tool_use' ? 'tool-calls' : stop === 'end_turn' ? 'end' : stop,
  }
}

/** The AI SDK validates every answer and event against a schema of its own. */
function aiSdkCall(api: 'chat' | 'responses', answer: AnswerSpec): Parameters<typeof streamText>[0] {
  const provider = createOpenAI({ apiKey: 'none', baseURL: 'http://model.test/v1', fetch: answering(answer) })
  const inputSchema = jsonSchema({ type: 'object' })
  const tools: ToolSet = { get_order: { inputSchema }, find_refund: { inputSchema } }
  return { model: provider[api]('gpt-4o'), prompt: 'hi', tools, maxRetries: 0 }
}

async function aiSdkJson(api: 'chat' | 'responses', answer: AnswerSpec): Promise<Received> {
  const { text, toolCalls, finishReason, reasoningText } = await generateText(aiSdkCall(api, answer))
  return receivedOfAiSdk(text, toolCalls, finishReason, reasoningText)
}

async function aiSdkStream(api: 'chat' | 'responses', answer: AnswerSpec): Promise<Received> {
  const result = streamText(aiSdkCall(api, answer))
  return receivedOfAiSdk(await result.text, await result.toolCalls, await result.finishReason, await result.reasoningText)
}

interface AiSdkToolCall {
  readonly toolCallId: string
  readonly toolName: string
  readonly input: unknown
}

function receivedOfAiSdk(text: string, calls: readonly AiSdkToolCall[], finish: string, reasoning: string | undefined): Received {
  const stop = finish === 'stop' ? 'end' : finish
  return {
    text,
    calls: calls.map(({ toolCallId, toolName, input }) => ({ id: toolCallId, name: toolName, args: input })),
    stop,
    reasoning: reasoning ?? '',
  }
}

/** A fetch that answers every model call with `answer`. */
function answering(answer: AnswerSpec): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    const dialect = dialectNamed(recogniseDialect(request.method, request.url) ?? '')
    if (dialect === undefined) throw new Error(`not a model call: ${request.url}`)
    const { status, headers, body } = dialect.respond(answer, await request.json(), request.url)
    return new Response(body, { status, headers: Object.fromEntries(headers) })
  }
}
