import { type AnswerContent, errorOf, inOrder, readAnswer, toUsage, unreadable } from './answer-body.ts'
import type { Dialect, NormalAnswer, NormalMessage, NormalPart, NormalTool, NormalToolCall, RenameToolCall, StopReason } from './dialect.ts'
import { changeEach, fieldsBut, joinedTexts, type JsonRecord, numberOf, recordOf, recordsOf, textOf } from './json-fields.ts'
import { requestEditor } from './edit/request-editor.ts'
import { responsesPlaces } from './edit/responses-places.ts'
import { makeResponsesAnswer } from './openai-responses/respond.ts'
import { isInstruction, requestParts } from './request-part.ts'
import { providerOf } from './provider.ts'
import { type NormalContent, readPieces, toMessage, toResultMessage, toTool, toToolCall, withoutUndefined } from './normal-shapes.ts'
import { ownFields } from './own-fields.ts'

/**
 * OpenAI's responses API, as provided by OpenAI, Azure, DeepSeek and OpenRouter.
 *
 * @see https://platform.openai.com/docs/api-reference/responses
 */
export const openaiResponses: Dialect = {
  name: 'openai.responses',
  /** Reads the body of a responses request. Consecutive items of the assistant's (reasoning, text, calls) form one message. */
  request(json, url) {
    const record = recordOf(json)
    const items = typeof record['input'] === 'string' ? [{ role: 'user', content: record['input'] }] : recordsOf(record['input'])
    const instructions = textOf(record['instructions'])
    const prompts = items.filter(isInstruction).map(({ content }) => readContent(content).text)
    return {
      provider: providerOf(url),
      model: textOf(record['model']) ?? '',
      stream: record['stream'] === true,
      sampling: fieldsBut(record, ownFields.responses),
      system: instructions === undefined ? prompts : [instructions, ...prompts],
      messages: readMessages(items.filter((item) => !isInstruction(item))),
      tools: recordsOf(record['tools']).map(readTool),
    }
  },
  requestPart: requestParts(
    'input',
    { instructions: 'system-prompt', prompt: 'system-prompt', previous_response_id: 'messages', conversation: 'messages' },
    ['background', 'include', 'moderation', 'access_programs'],
  ),
  renameToolCalls: (json, rename) => changeEach(json, 'input', (item) => renameInItem(item, rename)),
  editRequest: requestEditor('openai.responses', responsesPlaces),
  answer: (body, contentType) => readAnswer(body, contentType, readResponsesAnswer),
  respond: (spec, json, url) => makeResponsesAnswer(spec, openaiResponses.request(json, url), recordOf(json)),
}

/** A call's item has an id of its own in addition to its `call_id`; the provider creates both. */
function renameInItem(item: JsonRecord, rename: RenameToolCall): JsonRecord {
  const id = textOf(item['call_id'])
  if (id === undefined) return item
  if (isToolResult(item)) return { ...item, call_id: rename('result', id) }
  if (!isToolCall(item)) return item
  const name = rename('call', id)
  return { ...item, call_id: name, ...(textOf(item['id']) !== undefined && { id: name }) }
}

/** An assistant's message while its items are being gathered. */
interface Turn {
  text: string
  readonly toolCalls: NormalToolCall[]
  readonly parts: NormalPart[]
}

function readMessages(items: readonly JsonRecord[]): readonly NormalMessage[] {
  const messages: NormalMessage[] = []
  let turn: Turn | undefined
  const endTurn = (): void => {
    if (turn !== undefined) messages.push(toMessage('assistant', turn, turn.toolCalls))
    turn = undefined
  }
  for (const item of items) {
    const message = readOtherItem(item)
    if (message !== undefined) {
      endTurn()
      messages.push(message)
      continue
    }
    turn ??= { text: '', toolCalls: [], parts: [] }
    addToTurn(turn, item)
  }
  endTurn()
  return messages
}

/** Reads an item that is not the assistant's. */
function readOtherItem(item: JsonRecord): NormalMessage | undefined {
  if (isToolResult(item)) return toResultMessage(item['call_id'], readContent(item['output']))
  if (item['role'] === undefined || item['role'] === 'assistant') return undefined
  return toMessage('user', readContent(item['content']))
}

function addToTurn(turn: Turn, item: JsonRecord): void {
  if (isToolCall(item)) {
    turn.toolCalls.push(readToolItem(item))
  } else if (item['role'] === 'assistant') {
    const { text, parts } = readContent(item['content'])
    turn.text += text
    turn.parts.push(...parts)
  } else {
    turn.parts.push({ kind: textOf(item['type']) ?? 'unknown', value: item })
  }
}

function readContent(content: unknown): NormalContent {
  if (typeof content === 'string') return { text: content, parts: [] }
  return readPieces(recordsOf(Array.isArray(content) ? content : [content]), ({ type, text }) =>
    typeof text === 'string' && /^(?:input_|output_)?text$/.test(String(type)) ? text : undefined,
  )
}

function readTool(tool: JsonRecord): NormalTool {
  const { name, type, description, parameters, format, ...others } = tool
  const settings = type === 'function' || !('type' in tool) ? others : fieldsBut(tool, ['name', 'description', 'parameters', 'format'])
  return toTool(textOf(name) ?? textOf(type) ?? '', description, parameters ?? format, settings)
}

/** Reads a response, complete or as the events of a stream. */
function readResponsesAnswer(content: AnswerContent): NormalAnswer {
  return readResponse(content.kind === 'json' ? recordOf(content.json) : assembleResponse(content.events.map(recordOf)))
}

function readResponse(response: JsonRecord): NormalAnswer {
  const items = recordsOf(response['output'])
  const parts = items.filter(({ type }) => type === 'message').flatMap(({ content }) => recordsOf(content))
  const toolCalls = items.filter(isToolCall).map(readToolItem)
  const isResponse = Array.isArray(response['output']) || response['object'] === 'response'
  return withoutUndefined<NormalAnswer>({
    model: textOf(response['model']),
    text: joinedTexts(parts, 'text', ({ type }) => type === 'output_text'),
    reasoning: textOf(joinedTexts(items.flatMap(reasoningParts), 'text')),
    refusal: textOf(joinedTexts(parts, 'refusal', ({ type }) => type === 'refusal')),
    toolCalls,
    stopReason: stopReasonOf(response, toolCalls.length > 0),
    usage: usageOf(response['usage']),
    error: errorOf(response) ?? (isResponse ? undefined : unreadable(response)),
  })
}

/** Reasoning arrives as summaries from OpenAI, in full from others. */
function reasoningParts(item: JsonRecord): readonly JsonRecord[] {
  if (item['type'] !== 'reasoning') return []
  const content = recordsOf(item['content'])
  return content.length > 0 ? content : recordsOf(item['summary'])
}

function stopReasonOf(response: JsonRecord, callsTools: boolean): StopReason | undefined {
  if (response['status'] === 'completed') return callsTools ? 'tool-calls' : 'end'
  if (response['status'] === 'incomplete') {
    const reason = recordOf(response['incomplete_details'])['reason']
    return reason === 'max_output_tokens' ? 'length' : reason === 'content_filter' ? 'refused' : 'other'
  }
  return undefined
}

function usageOf(usage: unknown): NormalAnswer['usage'] {
  const { input_tokens: input, output_tokens: output, input_tokens_details: read, output_tokens_details: written } = recordOf(usage)
  return toUsage([input], [output], {
    cacheReadTokens: numberOf(recordOf(read)['cached_tokens']),
    reasoningTokens: numberOf(recordOf(written)['reasoning_tokens']),
  })
}

/**
 * Assembles a response from the events of a stream. The last event that carries a response contains all of it. A truncated stream yields the items so
 * far, finished or in pieces.
 *
 * @note The `error` of a stream that fails may arrive as an event of its own, or within `response.failed`.
 */
function assembleResponse(events: readonly JsonRecord[]): JsonRecord {
  let response: JsonRecord = { output: [] }
  const items = new Map<number, PartialItem>()
  let error: unknown
  for (const event of events) {
    response = { ...response, ...recordOf(event['response']) }
    error ??= errorOf(event)
    const index = numberOf(event['output_index'])
    if (index !== undefined) items.set(index, addToItem(items.get(index) ?? NO_ITEM, event))
  }
  const whole = recordsOf(response['output']).length > 0
  const gathered = inOrder(items).map(toItem)
  return { ...response, output: whole ? response['output'] : gathered, ...(error !== undefined && { error }) }
}

/** An output item while its events are being gathered. */
interface PartialItem {
  readonly item: JsonRecord
  readonly done: boolean
  readonly text: string
  readonly refusal: string
  readonly reasoning: string
  readonly argsText: string
}

const NO_ITEM: PartialItem = { item: {}, done: false, text: '', refusal: '', reasoning: '', argsText: '' }

/** The field to which each kind of delta adds. */
const DELTAS = new Map<unknown, 'text' | 'refusal' | 'reasoning' | 'argsText'>([
  ['response.output_text.delta', 'text'],
  ['response.refusal.delta', 'refusal'],
  ['response.reasoning_text.delta', 'reasoning'],
  ['response.reasoning_summary_text.delta', 'reasoning'],
  ['response.function_call_arguments.delta', 'argsText'],
  ['response.custom_tool_call_input.delta', 'argsText'],
])

function addToItem(partial: PartialItem, event: JsonRecord): PartialItem {
  if (event['type'] === 'response.output_item.added') return { ...partial, item: recordOf(event['item']) }
  if (event['type'] === 'response.output_item.done') return { ...partial, item: recordOf(event['item']), done: true }
  const field = DELTAS.get(event['type'])
  return field === undefined ? partial : { ...partial, [field]: partial[field] + (textOf(event['delta']) ?? '') }
}

function toItem({ item, done, text, refusal, reasoning, argsText }: PartialItem): JsonRecord {
  if (done) return item
  if (item['type'] === 'reasoning') return { ...item, content: [{ type: 'reasoning_text', text: reasoning }] }
  if (item['type'] === 'function_call') return { ...item, arguments: argsText }
  if (item['type'] === 'custom_tool_call') return { ...item, input: argsText }
  if (item['type'] !== 'message') return item
  const content = [
    { type: 'output_text', text },
    { type: 'refusal', refusal },
  ]
  return { ...item, content }
}

/** The built-in tools that the agent's side runs, by the type of their calls: their name, and the field with their arguments. */
const BUILT_IN = new Map<unknown, readonly [name: string, field: string]>([
  ['computer_call', ['computer', 'action']],
  ['local_shell_call', ['local_shell', 'action']],
  ['shell_call', ['shell', 'action']],
  ['apply_patch_call', ['apply_patch', 'operation']],
])

/** Returns whether an item is a tool call that the agent has to run. Web and file searches, code interpreter and MCP calls run at the provider. */
function isToolCall(item: JsonRecord): boolean {
  const type = item['type']
  return type === 'function_call' || type === 'custom_tool_call' || BUILT_IN.has(type)
}

/** Returns whether an item gives the model the result of a tool call. */
function isToolResult(item: JsonRecord): boolean {
  return textOf(item['call_id']) !== undefined && /_(?:call|tool_call)_output$/.test(String(item['type']))
}

/** Reads an item for which `isToolCall` returns true. A custom tool's input is free text. */
function readToolItem(item: JsonRecord): NormalToolCall {
  const { call_id: id, name, type } = item
  const builtIn = BUILT_IN.get(type)
  if (builtIn !== undefined) return toToolCall(id, builtIn[0], item[builtIn[1]] ?? item['actions'])
  const argsText = textOf(item['arguments']) ?? textOf(item['input']) ?? ''
  return type === 'custom_tool_call' ? { ...toToolCall(id, name, argsText), argsText } : toToolCall(id, name, undefined, argsText)
}
