import { type AnswerContent, errorOf, inOrder, joined, readAnswer, stopReasonIn, toUsage, unreadable } from './answer-body.ts'
import type { Dialect, NormalAnswer, NormalMessage, NormalTool, NormalToolCall, RenameToolCall, StopReason } from './dialect.ts'
import { changeEach, fieldsBut, joinedTexts, type JsonRecord, numberOf, recordOf, recordsOf, textOf } from './json-fields.ts'
import { isInstruction, requestParts } from './request-part.ts'
import { anthropicPlaces } from './edit/anthropic-places.ts'
import { requestEditor } from './edit/request-editor.ts'
import { providerOf } from './provider.ts'
import { modelInPath, urlPath } from './url-path.ts'
import { type NormalContent, readPieces, toMessage, toResultMessage, toTool, toToolCall, withoutUndefined } from './normal-shapes.ts'
import { eventStreamResponse, jsonResponse, type MadeAnswer, toMadeAnswer } from './made-answer.ts'
import { writeEvent } from './server-sent-events.ts'
import { ownFields } from './own-fields.ts'

/**
 * Anthropic's messages API, including providers that serve it under a prefix (DeepSeek, OpenRouter, Azure), and Claude on Vertex (`rawPredict`).
 *
 * @see https://docs.anthropic.com/en/api/messages
 */
export const anthropicMessages: Dialect = {
  name: 'anthropic.messages',
  /**
   * Reads the body of a messages request. Tool results, which are inside user messages, become separate messages. On Vertex, the address names the
   * model and says whether the answer is a stream.
   */
  request(json, url) {
    const record = recordOf(json)
    const messages = recordsOf(record['messages'])
    return {
      provider: providerOf(url),
      model: textOf(record['model']) ?? modelInPath(url),
      stream: record['stream'] === true || urlPath(url).endsWith(':streamRawPredict'),
      sampling: fieldsBut(record, ownFields.anthropic),
      system: [record['system'], ...messages.filter(isInstruction).map(({ content }) => content)].flatMap(textsOf),
      messages: messages.filter((message) => !isInstruction(message)).flatMap(readMessage),
      tools: recordsOf(record['tools']).map(readTool),
    }
  },
  requestPart: requestParts('messages', { system: 'system-prompt' }, [
    'anthropic_version',
    'anthropic_beta',
    'betas',
    'diagnostics',
    'inference_geo',
    'user_profile_id',
    'workspace_id',
  ]),
  renameToolCalls: (json, rename) =>
    changeEach(json, 'messages', (message) => changeEach(message, 'content', (block) => renameInBlock(block, rename))),
  editRequest: requestEditor('anthropic.messages', anthropicPlaces),
  answer: (body, contentType) => readAnswer(body, contentType, readAnthropicAnswer),
  /** Makes a message, or its events, framed as Anthropic frames them. Reasoning goes into a thinking block with an empty signature. */
  respond(spec, json, url) {
    const request = anthropicMessages.request(json, url)
    const answer = toMadeAnswer(spec, request, 'toolu')
    const blocks = madeBlocks(answer)
    const stop = { stop_reason: answer.toolCalls.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null }
    const message = { id: `msg_goldenrun_${answer.turn}`, type: 'message', role: 'assistant', model: request.model }
    if (!request.stream) return jsonResponse({ ...message, content: blocks.map(({ whole }) => whole), ...stop, usage: NO_USAGE })
    const events: readonly JsonRecord[] = [
      { type: 'message_start', message: { ...message, content: [], stop_reason: null, stop_sequence: null, usage: NO_USAGE } },
      ...blocks.flatMap(({ start, deltas }, index) => [
        { type: 'content_block_start', index, content_block: start },
        ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
        { type: 'content_block_stop', index },
      ]),
      { type: 'message_delta', delta: stop, usage: { output_tokens: 0 } },
      { type: 'message_stop' },
    ]
    return eventStreamResponse(events.map((event) => writeEvent(event, String(event['type']))))
  },
}

/** The ids and results of calls that the provider runs itself have the same shape. */
function renameInBlock(block: JsonRecord, rename: RenameToolCall): JsonRecord {
  const answered = textOf(block['tool_use_id'])
  if (answered !== undefined) return { ...block, tool_use_id: rename('result', answered) }
  const id = textOf(block['id'])
  return id !== undefined && String(block['type']).endsWith('tool_use') ? { ...block, id: rename('call', id) } : block
}

/** Returns each block of a system prompt as one text. */
function textsOf(content: unknown): readonly string[] {
  return blocksOf(content).map((block) => textOf(block['text']) ?? '')
}

/** A plain text is short for one text block. */
function blocksOf(content: unknown): readonly JsonRecord[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : recordsOf(content)
}

function readMessage(message: JsonRecord): readonly NormalMessage[] {
  if (message['role'] === 'assistant') return [readSaid('assistant', blocksOf(message['content']))]
  const messages: NormalMessage[] = []
  let said: JsonRecord[] = []
  const endSaid = (): void => {
    if (said.length > 0) messages.push(readSaid('user', said))
    said = []
  }
  for (const block of blocksOf(message['content'])) {
    if (block['type'] !== 'tool_result') {
      said.push(block)
      continue
    }
    endSaid()
    messages.push(toResultMessage(block['tool_use_id'], readContent(blocksOf(block['content'])), block['is_error'] === true))
  }
  endSaid()
  return messages
}

function readSaid(role: 'user' | 'assistant', blocks: readonly JsonRecord[]): NormalMessage {
  const isCall = (block: JsonRecord): boolean => role === 'assistant' && isToolUse(block)
  return toMessage(role, readContent(blocks.filter((block) => !isCall(block))), blocks.filter(isCall).map(readToolUse))
}

function readContent(blocks: readonly JsonRecord[]): NormalContent {
  return readPieces(blocks, (block) => (block['type'] === 'text' ? (textOf(block['text']) ?? '') : undefined))
}

function isToolUse(block: JsonRecord): boolean {
  return block['type'] === 'tool_use'
}

function readTool(tool: JsonRecord): NormalTool {
  const { name, description, input_schema: schema, ...settings } = tool
  return toTool(textOf(name) ?? textOf(tool['type']) ?? '', description, schema, settings)
}

/** @see https://docs.anthropic.com/en/api/handling-stop-reasons */
const STOP_REASONS = new Map<unknown, StopReason>([
  ['end_turn', 'end'],
  ['stop_sequence', 'end'],
  ['tool_use', 'tool-calls'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'refused'],
  ['pause_turn', 'paused'],
])

/** Reads a message, complete or as the events of a stream. */
export function readAnthropicAnswer(content: AnswerContent): NormalAnswer {
  const message = content.kind === 'json' ? recordOf(content.json) : assembleMessage(content.events.map(recordOf))
  const blocks = recordsOf(message['content'])
  const textOfBlocks = (name: string): string => joinedTexts(blocks, name, ({ type }) => type === name)
  return withoutUndefined<NormalAnswer>({
    model: textOf(message['model']),
    text: textOfBlocks('text'),
    reasoning: textOf(textOfBlocks('thinking')),
    toolCalls: blocks.filter(isToolUse).map(readToolUse),
    stopReason: stopReasonIn(STOP_REASONS, message['stop_reason']),
    usage: usageOf(message['usage']),
    error: errorOf(message) ?? (Array.isArray(message['content']) ? undefined : unreadable(message)),
  })
}

/** In a stream the input arrives as text, which `assembleMessage` keeps as `input_json`. */
function readToolUse({ id, name, input, input_json: text }: JsonRecord): NormalToolCall {
  return toToolCall(id, name, input, textOf(text))
}

/** Anthropic's `input_tokens` excludes cache reads and writes; `inputTokens` includes them, as in the other dialects. */
function usageOf(usage: unknown): NormalAnswer['usage'] {
  const { input_tokens: input, output_tokens: output, output_tokens_details: details, ...cached } = recordOf(usage)
  const [read, written] = [numberOf(cached['cache_read_input_tokens']), numberOf(cached['cache_creation_input_tokens'])]
  const reasoningTokens = numberOf(recordOf(details)['thinking_tokens'])
  return toUsage([input, read, written], [output], { cacheReadTokens: read, cacheWriteTokens: written, reasoningTokens })
}

/**
 * Assembles a message from the events of a stream. The text of a tool's input is kept in `input_json`.
 *
 * @note The usage of `message_delta` is a running total that replaces the usage of `message_start`, field by field. It may be larger (a tool of the
 * provider's read more input), and it may lack fields.
 */
function assembleMessage(events: readonly JsonRecord[]): JsonRecord {
  let message: JsonRecord = { content: [] }
  let usage: JsonRecord = {}
  let error: unknown
  const blocks = new Map<number, JsonRecord>()
  for (const event of events) {
    const index = numberOf(event['index']) ?? 0
    error ??= errorOf(event)
    if (event['type'] === 'message_start') message = { ...message, ...recordOf(event['message']) }
    if (event['type'] === 'message_delta') message = { ...message, ...recordOf(event['delta']) }
    if (event['type'] === 'content_block_start') blocks.set(index, recordOf(event['content_block']))
    if (event['type'] === 'content_block_delta') blocks.set(index, addToBlock(recordOf(blocks.get(index)), recordOf(event['delta'])))
    usage = { ...usage, ...withoutNull(event['type'] === 'message_start' ? message['usage'] : event['usage']) }
  }
  const content = inOrder(blocks)
  return { ...message, content, usage, ...(error !== undefined && { error }) }
}

/** The field of a block to which each kind of delta adds. Signatures and citations are not read. */
const DELTAS = new Map<unknown, readonly [from: string, to: string]>([
  ['text_delta', ['text', 'text']],
  ['thinking_delta', ['thinking', 'thinking']],
  ['input_json_delta', ['partial_json', 'input_json']],
])

function addToBlock(block: JsonRecord, delta: JsonRecord): JsonRecord {
  const fields = DELTAS.get(delta['type'])
  if (fields === undefined) return block
  const [from, to] = fields
  return { ...block, [to]: joined(block[to], delta[from]) }
}

function withoutNull(usage: unknown): JsonRecord {
  return Object.fromEntries(Object.entries(recordOf(usage)).filter(([, value]) => value !== null))
}

const NO_USAGE = { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }

/** A content block of a message, its start in a stream, and the stream's additions to it. */
interface MadeBlock {
  readonly whole: JsonRecord
  readonly start: JsonRecord
  readonly deltas: readonly JsonRecord[]
}

function madeBlocks({ text, reasoning, toolCalls }: MadeAnswer): readonly MadeBlock[] {
  return [
    ...(reasoning === '' ? [] : [toBlock('thinking', { signature: '' }, reasoning)]),
    ...(text === '' ? [] : [toBlock('text', { citations: null }, text)]),
    ...toolCalls.map(({ id, name, args, argsText }) => {
      const block = { type: 'tool_use', id, name }
      const deltas = [{ type: 'input_json_delta', partial_json: argsText }]
      return { whole: { ...block, input: args }, start: { ...block, input: {} }, deltas }
    }),
  ]
}

function toBlock(type: 'text' | 'thinking', settings: JsonRecord, text: string): MadeBlock {
  const block = { type, ...settings }
  return { whole: { ...block, [type]: text }, start: { ...block, [type]: '' }, deltas: [{ type: `${type}_delta`, [type]: text }] }
}
