import { isJsonObject } from '../trace/json.ts'
import { type AnswerContent, errorOf, inOrder, joined, readAnswer, stopReasonIn, toUsage, unreadable } from './answer-body.ts'
import type { Dialect, NormalAnswer, StopReason } from './dialect.ts'
import { openaiChat, readChatToolCall, renameChatToolCalls } from './openai-chat.ts'
import { chatPlaces } from './edit/chat-places.ts'
import { requestEditor } from './edit/request-editor.ts'
import { requestParts } from './request-part.ts'
import { joinedTexts, type JsonRecord, numberOf, recordOf, recordsOf, textOf } from './json-fields.ts'
import { withoutUndefined } from './normal-shapes.ts'
import { eventStreamResponse, jsonResponse, type MadeAnswer, type MadeToolCall, toMadeAnswer } from './made-answer.ts'
import { writeEvent } from './server-sent-events.ts'

/**
 * Cohere's chat, version 2. Messages contain tool calls as in OpenAI's chat completions.
 *
 * @see https://docs.cohere.com/reference/chat
 */
export const cohereChat: Dialect = {
  name: 'cohere.chat',
  /** Reads the body of a chat request: like OpenAI's, except for the plan before tool calls and tool results that are documents. */
  request(json, url) {
    const record = recordOf(json)
    return openaiChat.request({ ...record, messages: recordsOf(record['messages']).map(toChatMessage) }, url)
  },
  requestPart: requestParts('messages', { documents: 'messages' }),
  renameToolCalls: renameChatToolCalls,
  editRequest: requestEditor('cohere.chat', chatPlaces),
  answer: (body, contentType) => readAnswer(body, contentType, readCohereAnswer),
  /** Makes an answer, or its events, framed as Cohere frames them. Reasoning becomes the plan of an answer with tool calls, otherwise a thought. */
  respond(spec, json, url) {
    const request = cohereChat.request(json, url)
    const answer = toMadeAnswer(spec, request, 'call')
    const id = `goldenrun_${answer.turn}`
    const end = { finish_reason: answer.toolCalls.length > 0 ? 'TOOL_CALL' : 'COMPLETE', usage: NO_USAGE }
    if (!request.stream) return jsonResponse({ id, message: messageOf(answer), ...end })
    const start = { role: 'assistant', content: [], tool_plan: '', tool_calls: [], citations: [] }
    const events: readonly JsonRecord[] = [
      { id, type: 'message-start', delta: { message: start } },
      ...(planOf(answer) === undefined ? [] : [{ type: 'tool-plan-delta', delta: { message: { tool_plan: planOf(answer) } } }]),
      ...contentOf(answer).flatMap(contentEvents),
      ...answer.toolCalls.flatMap(toolCallEvents),
      { type: 'message-end', delta: end },
    ]
    return eventStreamResponse([...events.map((event) => writeEvent(event, String(event['type']))), writeEvent('[DONE]')])
  },
}

function toChatMessage(message: JsonRecord): JsonRecord {
  const { tool_plan: plan, content, ...rest } = message
  const parts = Array.isArray(content) ? content.map(toChatPart) : content
  return { ...rest, content: parts, ...(plan !== undefined && { reasoning: plan }) }
}

function toChatPart(part: unknown): unknown {
  const data = recordOf(recordOf(part)['document'])['data']
  if (data === undefined) return part
  return { type: 'text', text: typeof data === 'string' ? data : JSON.stringify(data) }
}

const STOP_REASONS = new Map<unknown, StopReason>([
  ['COMPLETE', 'end'],
  ['STOP_SEQUENCE', 'end'],
  ['TOOL_CALL', 'tool-calls'],
  ['MAX_TOKENS', 'length'],
  ['ERROR_LIMIT', 'length'],
  ['ERROR_TOXIC', 'refused'],
])

/** Reads an answer, complete or as the events of a stream. The plan that a model makes before it calls tools is reasoning. */
function readCohereAnswer(content: AnswerContent): NormalAnswer {
  const answer = content.kind === 'json' ? recordOf(content.json) : assembleCohere(content.events.map(recordOf))
  const message = recordOf(answer['message'])
  const said = message['content']
  const blocks = typeof said === 'string' ? [{ type: 'text', text: said }] : recordsOf(said)
  return withoutUndefined<NormalAnswer>({
    text: joinedTexts(blocks, 'text'),
    reasoning: textOf(joined(joinedTexts(blocks, 'thinking'), message['tool_plan'])),
    toolCalls: recordsOf(message['tool_calls']).map(readChatToolCall),
    stopReason: stopReasonIn(STOP_REASONS, answer['finish_reason']),
    usage: readUsage(recordOf(answer['usage'])),
    error: errorOf(answer) ?? (isJsonObject(answer['message']) ? undefined : unreadable(answer)),
  })
}

/** `tokens` counts the tokens that the model read and wrote, `billed_units` the billed ones. */
function readUsage(usage: JsonRecord): NormalAnswer['usage'] {
  const counts = recordOf(usage['tokens'] ?? usage['billed_units'])
  return toUsage([counts['input_tokens']], [counts['output_tokens']], { cacheReadTokens: numberOf(usage['cached_tokens']) })
}

/** Assembles an answer from the events of a stream. */
function assembleCohere(events: readonly JsonRecord[]): JsonRecord {
  const content = new Map<number, JsonRecord>()
  const calls = new Map<number, JsonRecord>()
  let plan = ''
  let end: JsonRecord = {}
  let error: unknown
  for (const event of events) {
    const delta = recordOf(event['delta'])
    const message = recordOf(delta['message'])
    const index = numberOf(event['index']) ?? 0
    error ??= errorOf(event) ?? errorOf(delta)
    plan += textOf(message['tool_plan']) ?? ''
    if (/^content-(?:start|delta)$/.test(String(event['type']))) content.set(index, addToBlock(content.get(index), message['content']))
    if (/^tool-call-(?:start|delta)$/.test(String(event['type']))) calls.set(index, addToCall(calls.get(index), message['tool_calls']))
    if (event['type'] === 'message-end') end = delta
  }
  const message = { content: inOrder(content), tool_calls: inOrder(calls), tool_plan: plan }
  return { message, finish_reason: end['finish_reason'], usage: end['usage'], ...(error !== undefined && { error }) }
}

function addToBlock(block: JsonRecord = {}, added: unknown): JsonRecord {
  const { text, thinking } = recordOf(added)
  return { text: joined(block['text'], text), thinking: joined(block['thinking'], thinking) }
}

function addToCall(call: JsonRecord = {}, added: unknown): JsonRecord {
  const [before, piece] = [recordOf(call['function']), recordOf(recordOf(added)['function'])]
  const name = textOf(before['name']) ?? piece['name']
  return { id: call['id'] ?? recordOf(added)['id'], function: { name, arguments: joined(before['arguments'], piece['arguments']) } }
}

const NO_USAGE = { billed_units: { input_tokens: 0, output_tokens: 0 }, tokens: { input_tokens: 0, output_tokens: 0 } }

function messageOf(answer: MadeAnswer): JsonRecord {
  const content = contentOf(answer)
  return {
    role: 'assistant',
    ...(planOf(answer) !== undefined && { tool_plan: planOf(answer) }),
    ...(content.length > 0 && { content: content.map(({ type, text }) => ({ type, [type]: text })) }),
    ...(answer.toolCalls.length > 0 && {
      tool_calls: answer.toolCalls.map(({ id, name, argsText }) => ({ id, type: 'function', function: { name, arguments: argsText } })),
    }),
  }
}

interface MadeContent {
  readonly type: 'text' | 'thinking'
  readonly text: string
}

function contentOf(answer: MadeAnswer): readonly MadeContent[] {
  const { text, reasoning, toolCalls } = answer
  return [
    ...(reasoning === '' || planOf(answer) !== undefined ? [] : [{ type: 'thinking', text: reasoning } as const]),
    ...(text === '' && toolCalls.length > 0 ? [] : [{ type: 'text', text } as const]),
  ]
}

function planOf({ reasoning, toolCalls }: MadeAnswer): string | undefined {
  return reasoning !== '' && toolCalls.length > 0 ? reasoning : undefined
}

function contentEvents({ type, text }: MadeContent, index: number): readonly JsonRecord[] {
  return [
    { type: 'content-start', index, delta: { message: { content: { type, [type]: '' } } } },
    { type: 'content-delta', index, delta: { message: { content: { [type]: text } } } },
    { type: 'content-end', index },
  ]
}

function toolCallEvents({ id, name, argsText }: MadeToolCall, index: number): readonly JsonRecord[] {
  const start = { id, type: 'function', function: { name, arguments: '' } }
  return [
    { type: 'tool-call-start', index, delta: { message: { tool_calls: start } } },
    { type: 'tool-call-delta', index, delta: { message: { tool_calls: { function: { arguments: argsText } } } } },
    { type: 'tool-call-end', index },
  ]
}
