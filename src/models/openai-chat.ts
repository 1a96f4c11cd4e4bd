import { isJsonObject } from '../trace/json.ts'
import { type AnswerContent, errorOf, eventsOf, joined, readAnswer, stopReasonIn, toUsage, unreadable } from './answer-body.ts'
import type { Dialect, NormalAnswer, NormalMessage, NormalTool, NormalToolCall, RenameToolCall, StopReason } from './dialect.ts'
import { changeEach, fieldsBut, joinedTexts, type JsonRecord, numberOf, recordOf, recordsOf, textOf } from './json-fields.ts'
import { chatPlaces } from './edit/chat-places.ts'
import { requestEditor } from './edit/request-editor.ts'
import { isInstruction, requestParts } from './request-part.ts'
import { providerOf } from './provider.ts'
import { modelInPath } from './url-path.ts'
import { type NormalContent, readPieces, toMessage, toResultMessage, toTool, toToolCall, withoutUndefined } from './normal-shapes.ts'
import { makeChatAnswer } from './openai-chat/respond.ts'
import { ownFields } from './own-fields.ts'

/**
 * OpenAI's chat completions, and the many providers with this API (Groq, Mistral, DeepSeek, Together, OpenRouter, Cerebras, xAI, Azure).
 *
 * @see https://platform.openai.com/docs/api-reference/chat
 */
export const openaiChat: Dialect = {
  name: 'openai.chat',
  /** Reads the body of a chat completion request. On Azure, the model may be named in the URL only, as a deployment. */
  request(json, url) {
    const record = recordOf(json)
    const messages = recordsOf(record['messages'])
    return {
      provider: providerOf(url),
      model: textOf(record['model']) ?? modelInPath(url),
      stream: record['stream'] === true,
      sampling: fieldsBut(record, ownFields.chat),
      system: messages.filter(isInstruction).map(({ content }) => readContent(content).text),
      messages: messages.filter((message) => !isInstruction(message)).map(readMessage),
      tools: [...recordsOf(record['tools']).map(readTool), ...recordsOf(record['functions']).map((declared) => readFunction(declared, {}))],
    }
  },
  requestPart: requestParts('messages', {}, ['moderation']),
  renameToolCalls: renameChatToolCalls,
  editRequest: requestEditor('openai.chat', chatPlaces),
  answer: (body, contentType) => readAnswer(body, contentType, readChatAnswer),
  respond: (spec, json, url) => makeChatAnswer(spec, openaiChat.request(json, url), json),
}

/** Renames the ids of tool calls in messages. Other dialects have messages of this shape as well. */
export function renameChatToolCalls(json: unknown, rename: RenameToolCall): unknown {
  return changeEach(json, 'messages', (message) => {
    const result = textOf(message['tool_call_id'])
    if (result !== undefined) return { ...message, tool_call_id: rename('result', result) }
    return changeEach(message, 'tool_calls', (call) => {
      const id = textOf(call['id'])
      return id === undefined ? call : { ...call, id: rename('call', id) }
    })
  })
}

function readMessage(message: JsonRecord): NormalMessage {
  const content = readContent(message['content'])
  const role = message['role']
  if (role === 'tool' || role === 'function') return toResultMessage(message['tool_call_id'], content)
  if (role !== 'assistant') return toMessage('user', content)
  const reasoning = textOf(message['reasoning_content']) ?? textOf(message['reasoning'])
  const parts = reasoning === undefined ? content.parts : [{ kind: 'reasoning', value: reasoning }, ...content.parts]
  return toMessage(role, { text: content.text, parts }, readToolCalls(message))
}

function readToolCalls(message: JsonRecord): readonly NormalToolCall[] {
  const calls = recordsOf(message['tool_calls']).map(readChatToolCall)
  return isJsonObject(message['function_call']) ? [...calls, readChatToolCall({ function: message['function_call'] })] : calls
}

function readContent(content: unknown): NormalContent {
  if (typeof content === 'string') return { text: content, parts: [] }
  return readPieces(recordsOf(content), (part) => (part['type'] === 'text' ? (textOf(part['text']) ?? '') : undefined))
}

function readTool(tool: JsonRecord): NormalTool {
  const type = textOf(tool['type']) ?? 'function'
  const declared = tool[type]
  if ((type === 'function' || type === 'custom') && isJsonObject(declared)) return readFunction(declared, fieldsBut(tool, ['type', type]))
  return { name: textOf(tool['name']) ?? type, settings: fieldsBut(tool, ['name']) }
}

function readFunction(declared: JsonRecord, around: JsonRecord): NormalTool {
  const { name, description, parameters, format, ...settings } = declared
  return toTool(textOf(name) ?? '', description, parameters ?? format, { ...settings, ...around })
}

/** `tool_calls` and the rest are OpenAI's; `model_length` is Mistral's, `eos` Together's. */
const STOP_REASONS = new Map<unknown, StopReason>([
  ['stop', 'end'],
  ['eos', 'end'],
  ['tool_calls', 'tool-calls'],
  ['function_call', 'tool-calls'],
  ['length', 'length'],
  ['model_length', 'length'],
  ['content_filter', 'refused'],
])

/** Reads a chat completion, or its chunks: a chunk's `delta` and a completion's `message` have the same fields. */
export function readChatAnswer(content: AnswerContent): NormalAnswer {
  const answer = new ChatAnswer()
  for (const event of eventsOf(content)) answer.add(event)
  return answer.toNormal()
}

class ChatAnswer {
  #model: string | undefined
  #text = ''
  #reasoning = ''
  #refusal = ''
  #calls: JsonRecord[] = []
  #stopReason: StopReason | undefined
  #usage: NormalAnswer['usage']
  #error: NormalAnswer['error']
  #isChat = false
  #other: unknown

  add(json: unknown): void {
    const record = recordOf(json)
    this.#error ??= errorOf(record)
    if (Array.isArray(record['choices'])) this.#isChat = true
    else this.#other ??= json
    this.#model ??= textOf(record['model'])
    this.#usage = readChatUsage(record) ?? this.#usage
    const choice = recordsOf(record['choices']).find(({ index }) => (index ?? 0) === 0)
    if (choice === undefined) return
    this.#addMessage(recordOf(choice['message'] ?? choice['delta']), isJsonObject(choice['message']))
    this.#stopReason = stopReasonIn(STOP_REASONS, choice['finish_reason']) ?? this.#stopReason
  }

  toNormal(): NormalAnswer {
    return withoutUndefined<NormalAnswer>({
      model: this.#model,
      text: this.#text,
      reasoning: textOf(this.#reasoning),
      refusal: textOf(this.#refusal),
      toolCalls: this.#calls.map(readChatToolCall),
      stopReason: this.#stopReason,
      usage: this.#usage,
      error: this.#error ?? (this.#isChat || this.#other === undefined ? undefined : unreadable(this.#other)),
    })
  }

  #addMessage(message: JsonRecord, whole: boolean): void {
    this.#addContent(message['content'])
    this.#reasoning += textOf(message['reasoning_content']) ?? textOf(message['reasoning']) ?? ''
    this.#refusal += textOf(message['refusal']) ?? ''
    const calls = recordsOf(message['tool_calls'])
    if (whole) this.#calls = [...calls]
    else for (const call of calls) addToolCallDelta(this.#calls, call)
    // The predecessor of `tool_calls`: one call, without an id.
    if (!isJsonObject(message['function_call'])) return
    if (whole) this.#calls.push({ function: message['function_call'] })
    else addToolCallDelta(this.#calls, { index: 0, function: message['function_call'] })
  }

  /** Mistral's reasoning models answer with parts instead of text. */
  #addContent(content: unknown): void {
    this.#text += textOf(content) ?? ''
    for (const part of recordsOf(content)) {
      if (part['type'] === 'text') this.#text += textOf(part['text']) ?? ''
      if (part['type'] !== 'thinking') continue
      this.#reasoning += textOf(part['thinking']) ?? joinedTexts(recordsOf(part['thinking']), 'text')
    }
  }
}

/**
 * Reads a tool call of a message: a function's, with arguments as JSON text (Mistral's may be parsed), or a custom tool's, whose input is
 * free text.
 */
export function readChatToolCall(call: JsonRecord): NormalToolCall {
  const [custom, called] = [recordOf(call['custom']), recordOf(call['function'])]
  const { input } = custom
  if (typeof input === 'string') return { ...toToolCall(call['id'], custom['name'], input), argsText: input }
  const { arguments: args } = called
  return toToolCall(call['id'], called['name'], args, typeof args === 'string' ? args : undefined)
}

/**
 * Adds a stream's piece of a tool call to the calls so far: its id and name arrive once, its arguments piece by piece.
 *
 * @note The `index` of a piece identifies its call. Mistral and Google send no index for a call that arrives whole, and gateways to Gemini give every
 * parallel call the index 0 (su-kaka/gcli2api#406): a piece with a different id and a name starts another call.
 */
function addToolCallDelta(calls: JsonRecord[], delta: JsonRecord): void {
  const position = positionOf(calls, delta)
  const before = calls[position]
  if (before === undefined) {
    calls.push(delta)
    return
  }
  calls[position] = {
    ...before,
    id: textOf(before['id']) ?? delta['id'],
    ...mergedField('function', 'arguments', before, delta),
    ...mergedField('custom', 'input', before, delta),
  }
}

function positionOf(calls: readonly JsonRecord[], delta: JsonRecord): number {
  const index = numberOf(delta['index'])
  const id = textOf(delta['id'])
  const position = index === undefined ? calls.length - 1 : calls.findLastIndex((call) => call['index'] === index)
  const startsAnother = id !== undefined && nameOf(delta) !== undefined && id !== textOf(calls[position]?.['id'])
  return position === -1 || (startsAnother && textOf(calls[position]?.['id']) !== undefined) ? calls.length : position
}

function nameOf(call: JsonRecord): string | undefined {
  return textOf(recordOf(call['function'])['name']) ?? textOf(recordOf(call['custom'])['name'])
}

function mergedField(field: string, text: string, before: JsonRecord, delta: JsonRecord): JsonRecord {
  if (!isJsonObject(delta[field])) return {}
  const [old, added] = [recordOf(before[field]), recordOf(delta[field])]
  return {
    [field]: { ...old, name: textOf(added['name']) ?? old['name'], [text]: joined(old[text], added[text]) },
  }
}

/**
 * Reads the usage of a completion or a chunk. Groq's streams have it in `x_groq`. Tokens read from a cache are counted in OpenAI's
 * `prompt_tokens_details`, in `prompt_cache_hit_tokens` by DeepSeek, and in `cached_tokens` by Moonshot.
 *
 * @note xAI's `completion_tokens` exclude the reasoning: its total exceeds the sum of prompt and completion.
 */
function readChatUsage(completion: JsonRecord): NormalAnswer['usage'] {
  const usage = recordOf(completion['usage'] ?? recordOf(completion['x_groq'])['usage'])
  const [input, output, total] = ['prompt_tokens', 'completion_tokens', 'total_tokens'].map((name) => numberOf(usage[name]))
  const details = recordOf(usage['prompt_tokens_details'])
  const reasoning = numberOf(recordOf(usage['completion_tokens_details'])['reasoning_tokens'])
  const isReasoningApart = total !== undefined && reasoning !== undefined && total === (input ?? 0) + (output ?? 0) + reasoning
  return toUsage([input], [output, isReasoningApart ? reasoning : 0], {
    cacheReadTokens: numberOf(details['cached_tokens']) ?? numberOf(usage['prompt_cache_hit_tokens']) ?? numberOf(usage['cached_tokens']),
    cacheWriteTokens: numberOf(details['cache_write_tokens']),
    reasoningTokens: reasoning,
  })
}
