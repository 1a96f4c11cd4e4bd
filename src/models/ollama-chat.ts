import { isJsonObject } from '../trace/json.ts'
import { type AnswerContent, errorOf, eventsOf, readAnswer, toUsage, unreadable } from './answer-body.ts'
import type { Dialect, NormalAnswer, StopReason } from './dialect.ts'
import { openaiChat, readChatToolCall, renameChatToolCalls } from './openai-chat.ts'
import { ollamaPlaces } from './edit/chat-places.ts'
import { requestEditor } from './edit/request-editor.ts'
import { requestParts } from './request-part.ts'
import { fieldsBut, joinedTexts, type JsonRecord, recordOf, recordsOf, textOf } from './json-fields.ts'
import { withoutUndefined } from './normal-shapes.ts'
import { jsonResponse, type MadeAnswer, toMadeAnswer } from './made-answer.ts'

/**
 * Ollama's own chat. A stream consists of JSON lines, and is the default unless a request turns it off.
 *
 * @see https://docs.ollama.com/api/chat
 */
export const ollamaChat: Dialect = {
  name: 'ollama.chat',
  /** Reads the body of a chat request: like OpenAI's, except for images and thoughts. The fields of `options` and its siblings are sampling. */
  request(json, url) {
    const record = recordOf(json)
    const request = openaiChat.request({ ...record, messages: recordsOf(record['messages']).map(toChatMessage) }, url)
    const sampling = { ...fieldsBut(request.sampling, ['options']), ...recordOf(record['options']) }
    return { ...request, stream: record['stream'] !== false, sampling }
  },
  requestPart: requestParts('messages', {}, ['keep_alive']),
  renameToolCalls: renameChatToolCalls,
  editRequest: requestEditor('ollama.chat', ollamaPlaces),
  answer: (body, contentType) => readAnswer(body, contentType, readOllamaAnswer),
  /** Makes an answer, or its lines, framed as Ollama frames them. */
  respond(spec, json, url) {
    const request = ollamaChat.request(json, url)
    const answer = toMadeAnswer(spec, request, 'call')
    const common = { model: request.model, created_at: '1970-01-01T00:00:00Z' }
    const end = { done_reason: 'stop', done: true, ...NO_USAGE }
    const fields = fieldsOf(answer)
    if (!request.stream) return jsonResponse({ ...common, message: messageOf(Object.assign({}, ...fields)), ...end })
    const lines = [...fields.map((field) => ({ message: messageOf(field), done: false })), { message: messageOf({}), ...end }]
    return {
      status: 200,
      headers: [['content-type', 'application/x-ndjson']],
      body: lines.map((line) => `${JSON.stringify({ ...common, ...line })}\n`).join(''),
    }
  },
}

/** Images are next to the text. */
function toChatMessage(message: JsonRecord): JsonRecord {
  const { images, thinking, content, ...rest } = message
  const pictures = Array.isArray(images) ? images.map((value: unknown) => ({ type: 'image', image: value })) : []
  return {
    ...rest,
    content: pictures.length > 0 ? [{ type: 'text', text: content }, ...pictures] : content,
    ...(thinking !== undefined && { reasoning: thinking }),
  }
}

/** Reads an answer, or the lines of a stream: each line is an answer that contains what is new. The last one counts the tokens. */
function readOllamaAnswer(content: AnswerContent): NormalAnswer {
  const lines = eventsOf(content).map(recordOf)
  const messages = lines.map(({ message }) => recordOf(message))
  const toolCalls = messages.flatMap((message) => recordsOf(message['tool_calls'])).map(readChatToolCall)
  const error = lines.map(errorOf).find((found) => found !== undefined)
  const other = lines.some(({ message }) => isJsonObject(message)) || lines.length === 0 ? undefined : unreadable(lines[0])
  const end = lines.find(({ done }) => done === true)
  return withoutUndefined<NormalAnswer>({
    model: lines.map(({ model }) => textOf(model)).find((model) => model !== undefined),
    text: joinedTexts(messages, 'content'),
    reasoning: textOf(joinedTexts(messages, 'thinking')),
    toolCalls,
    stopReason: end === undefined ? undefined : stopReasonOf(end, toolCalls.length > 0),
    usage: toUsage([end?.['prompt_eval_count']], [end?.['eval_count']]),
    error: error ?? other,
  })
}

/** `stop` is used for tool calls as well. Releases before 0.1.38 state no reason. */
function stopReasonOf({ done_reason }: JsonRecord, callsTools: boolean): StopReason {
  if (done_reason === 'length') return 'length'
  if (done_reason !== 'stop' && done_reason !== undefined) return 'other'
  return callsTools ? 'tool-calls' : 'end'
}

const NO_USAGE = { total_duration: 0, load_duration: 0, prompt_eval_count: 0, prompt_eval_duration: 0, eval_count: 0, eval_duration: 0 }

function messageOf(fields: JsonRecord): JsonRecord {
  return { role: 'assistant', content: '', ...fields }
}

function fieldsOf({ text, reasoning, toolCalls }: MadeAnswer): readonly JsonRecord[] {
  return [
    ...(reasoning === '' ? [] : [{ thinking: reasoning }]),
    ...(text === '' ? [] : [{ content: text }]),
    ...(toolCalls.length === 0
      ? []
      : [{ tool_calls: toolCalls.map(({ id, name, args }) => ({ id, function: { name, arguments: args } })) }]),
  ]
}
