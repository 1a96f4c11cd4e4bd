import { EventStreamCodec } from '@smithy/core/event-streams'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { readBody } from '../../examples/world/read-body.ts'

/** One answer of a scripted model: first it looks the order up, then it tells what it found. */
type Answer = readonly [contentType: string, chunks: readonly (string | Uint8Array)[]]

/** Answers as Gemini, Bedrock, Cohere and Ollama do, written down from their documentation: the tool call first, the text once there is a result. */
export async function answerAsProvider(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = (await readBody(incoming)).toString()
  const path = decodeURIComponent(incoming.url ?? '')
  const isDone = /functionResponse|toolResult|tool_result|"role":"tool"/.test(body)
  const [contentType, chunks] = answerFor(path, isDone, body.includes('"stream":true'))
  response.writeHead(200, { 'content-type': contentType })
  for (const chunk of chunks) {
    response.write(chunk)
    await new Promise<void>((resolve) => setTimeout(resolve, 1))
  }
  response.end()
}

function answerFor(path: string, isDone: boolean, isStream: boolean): Answer {
  if (path.includes(':streamGenerateContent'))
    return ['text/event-stream', gemini(isDone).map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`)]
  if (path.includes(':generateContent')) return json(wholeGemini(isDone))
  if (path.endsWith('/converse-stream')) return framed(converse(isDone))
  if (path.endsWith('/converse')) return json(wholeConverse(isDone))
  if (path.endsWith('/invoke-with-response-stream'))
    return framed(claude(isDone).map((event) => ({ chunk: { bytes: base64(event), p: 'abc' } })))
  if (path.endsWith('/invoke')) return json(wholeClaude(isDone))
  if (path.endsWith('/v2/chat')) return isStream ? ['text/event-stream', cohere(isDone)] : json(wholeCohere(isDone))
  return isStream ? ['application/x-ndjson', ollama(isDone).map((line) => `${JSON.stringify(line)}\n`)] : json(wholeOllama(isDone))
}

const REASONING = 'I have to look.'
const ARGS = { id: 'ord_1' }
const TEXT = ['It is ', 'packed. ', 'Grüße!'] as const

function json(value: unknown): Answer {
  return ['application/json', [JSON.stringify(value)]]
}

function gemini(isDone: boolean): object[] {
  const usage = { promptTokenCount: 40, candidatesTokenCount: 7, thoughtsTokenCount: 3, totalTokenCount: 50, cachedContentTokenCount: 5 }
  const chunk = (part: object, last: object = {}): object => ({
    candidates: [{ content: { parts: [part], role: 'model' }, index: 0, ...last }],
    usageMetadata: { promptTokenCount: 40, totalTokenCount: 40, ...('finishReason' in last && usage) },
    modelVersion: 'gemini-2.5-flash',
    responseId: 'r1',
  })
  const thought = chunk({ text: REASONING, thought: true })
  if (!isDone) return [thought, chunk({ functionCall: { name: 'get_order', args: ARGS } }), chunk({ text: '' }, { finishReason: 'STOP' })]
  return TEXT.map((text, index) => chunk({ text }, index === 2 ? { finishReason: 'STOP' } : {}))
}

function wholeGemini(isDone: boolean): object {
  const parts = isDone
    ? [{ text: TEXT.join('') }]
    : [{ text: REASONING, thought: true }, { functionCall: { name: 'get_order', args: ARGS } }]
  const usageMetadata = {
    promptTokenCount: 40,
    candidatesTokenCount: 7,
    thoughtsTokenCount: 3,
    totalTokenCount: 50,
    cachedContentTokenCount: 5,
  }
  return {
    candidates: [{ content: { parts, role: 'model' }, finishReason: 'STOP', index: 0 }],
    usageMetadata,
    modelVersion: 'gemini-2.5-flash',
  }
}

const CONVERSE_USAGE = { inputTokens: 35, outputTokens: 10, totalTokens: 50, cacheReadInputTokens: 5, cacheWriteInputTokens: 0 }

function converse(isDone: boolean): object[] {
  const block = (contentBlockIndex: number, delta: object): object => ({ contentBlockDelta: { contentBlockIndex, delta, p: 'abcdef' } })
  const stop = (contentBlockIndex: number): object => ({ contentBlockStop: { contentBlockIndex } })
  const start = { toolUse: { toolUseId: 'tooluse_1', name: 'get_order' } }
  const said = isDone
    ? [...TEXT.map((text) => block(0, { text })), stop(0)]
    : [
        block(0, { reasoningContent: { text: REASONING } }),
        stop(0),
        { contentBlockStart: { contentBlockIndex: 1, start } },
        ...['{"id"', ': "ord_1"}'].map((input) => block(1, { toolUse: { input } })),
        stop(1),
      ]
  const end = [
    { messageStop: { stopReason: isDone ? 'end_turn' : 'tool_use' } },
    { metadata: { usage: CONVERSE_USAGE, metrics: { latencyMs: 3 } } },
  ]
  return [{ messageStart: { role: 'assistant' } }, ...said, ...end]
}

function wholeConverse(isDone: boolean): object {
  const toolUse = { toolUseId: 'tooluse_1', name: 'get_order', input: ARGS }
  const content = isDone ? [{ text: TEXT.join('') }] : [{ reasoningContent: { reasoningText: { text: REASONING } } }, { toolUse }]
  const stopReason = isDone ? 'end_turn' : 'tool_use'
  return { output: { message: { content, role: 'assistant' } }, stopReason, usage: CONVERSE_USAGE, metrics: { latencyMs: 3 } }
}

const CLAUDE_USAGE = { input_tokens: 35, cache_read_input_tokens: 5, cache_creation_input_tokens: 0, output_tokens: 1 }

function claude(isDone: boolean): object[] {
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4',
    content: [],
    stop_reason: null,
    usage: CLAUDE_USAGE,
  }
  const delta = (index: number, change: object): object => ({ type: 'content_block_delta', index, delta: change })
  const said = isDone
    ? [
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        ...TEXT.map((text) => delta(0, { type: 'text_delta', text })),
      ]
    : [
        { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } },
        delta(0, { type: 'thinking_delta', thinking: REASONING }),
        { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 'toolu_1', name: 'get_order', input: {} } },
        ...['{"id"', ': "ord_1"}'].map((partial) => delta(1, { type: 'input_json_delta', partial_json: partial })),
      ]
  const end = { type: 'message_delta', delta: { stop_reason: isDone ? 'end_turn' : 'tool_use' }, usage: { output_tokens: 10 } }
  return [{ type: 'message_start', message }, ...said, end, { type: 'message_stop' }]
}

function wholeClaude(isDone: boolean): object {
  const call = { type: 'tool_use', id: 'toolu_1', name: 'get_order', input: ARGS }
  const content = isDone ? [{ type: 'text', text: TEXT.join('') }] : [{ type: 'thinking', thinking: REASONING, signature: '' }, call]
  const usage = { ...CLAUDE_USAGE, output_tokens: 10 }
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4',
    content,
    stop_reason: isDone ? 'end_turn' : 'tool_use',
    usage,
  }
}

const COHERE_USAGE = {
  billed_units: { input_tokens: 9, output_tokens: 10 },
  tokens: { input_tokens: 40, output_tokens: 10 },
  cached_tokens: 5,
}

interface Event {
  readonly type: string
  readonly [field: string]: unknown
}

function cohere(isDone: boolean): string[] {
  const call = (index: number, type: string, toolCalls: object): Event => ({
    type,
    index,
    delta: { message: { tool_calls: toolCalls } },
  })
  const said = isDone
    ? [
        { type: 'content-start', index: 0, delta: { message: { content: { type: 'text', text: '' } } } },
        ...TEXT.map((text) => ({ type: 'content-delta', index: 0, delta: { message: { content: { text } } } })),
        { type: 'content-end', index: 0 },
      ]
    : [
        { type: 'tool-plan-delta', delta: { message: { tool_plan: REASONING } } },
        call(0, 'tool-call-start', { id: 'get_order_1', type: 'function', function: { name: 'get_order', arguments: '' } }),
        ...['{"id"', ': "ord_1"}'].map((text) => call(0, 'tool-call-delta', { function: { arguments: text } })),
        { type: 'tool-call-end', index: 0 },
      ]
  const events = [
    {
      id: 'c1',
      type: 'message-start',
      delta: { message: { role: 'assistant', content: [], tool_plan: '', tool_calls: [], citations: [] } },
    },
    ...said,
    { type: 'message-end', delta: { finish_reason: isDone ? 'COMPLETE' : 'TOOL_CALL', usage: COHERE_USAGE } },
  ]
  return [...events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`), 'data: [DONE]\n\n']
}

function wholeCohere(isDone: boolean): object {
  const call = { id: 'get_order_1', type: 'function', function: { name: 'get_order', arguments: '{"id": "ord_1"}' } }
  const message = isDone ? { content: [{ type: 'text', text: TEXT.join('') }] } : { tool_plan: REASONING, tool_calls: [call] }
  return { id: 'c1', message: { role: 'assistant', ...message }, finish_reason: isDone ? 'COMPLETE' : 'TOOL_CALL', usage: COHERE_USAGE }
}

const OLLAMA_END = { done: true, done_reason: 'stop', prompt_eval_count: 40, eval_count: 10 }

function ollama(isDone: boolean): object[] {
  const line = (message: object, rest: object = { done: false }): object => ({
    model: 'llama3.1',
    created_at: '2026-01-01T00:00:00Z',
    message: { role: 'assistant', content: '', ...message },
    ...rest,
  })
  const call = { function: { name: 'get_order', arguments: ARGS } }
  const said = isDone ? TEXT.map((content) => line({ content })) : [line({ thinking: REASONING }), line({ tool_calls: [call] })]
  return [...said, line({}, OLLAMA_END)]
}

function wholeOllama(isDone: boolean): object {
  const call = { function: { name: 'get_order', arguments: ARGS } }
  const message = isDone ? { content: TEXT.join('') } : { content: '', thinking: REASONING, tool_calls: [call] }
  return { model: 'llama3.1', created_at: '2026-01-01T00:00:00Z', message: { role: 'assistant', ...message }, ...OLLAMA_END }
}

function base64(event: object): string {
  return Buffer.from(JSON.stringify(event)).toString('base64')
}

/** Each event, by its type, as a frame; a frame is sent in two chunks. */
function framed(events: readonly object[]): Answer {
  const codec = new EventStreamCodec(
    (bytes) => Buffer.from(bytes as Uint8Array).toString(),
    (text) => Buffer.from(text),
  )
  const header = (value: string): { type: 'string'; value: string } => ({ type: 'string', value })
  const frames = events.flatMap((event) => {
    const [type = '', payload] = Object.entries(event)[0] ?? []
    const headers = { ':event-type': header(type), ':content-type': header('application/json'), ':message-type': header('event') }
    const frame = codec.encode({ headers, body: Buffer.from(JSON.stringify(payload)) })
    return [frame.slice(0, 20), frame.slice(20)]
  })
  return ['application/vnd.amazon.eventstream', frames]
}
