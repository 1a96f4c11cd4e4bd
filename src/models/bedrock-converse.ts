import { isJsonObject } from '../trace/json.ts'
import { type AnswerContent, errorOf, inOrder, joined, readAnswer, stopReasonIn, toUsage, unreadable } from './answer-body.ts'
import type { Dialect, NormalAnswer, NormalMessage, NormalTool, NormalToolCall, RenameToolCall, StopReason } from './dialect.ts'
import { changeEach, fieldsBut, joinedTexts, type JsonRecord, numberOf, recordOf, recordsOf, textOf } from './json-fields.ts'
import { requestParts } from './request-part.ts'
import { conversePlaces } from './edit/converse-places.ts'
import { requestEditor } from './edit/request-editor.ts'
import { providerOf } from './provider.ts'
import { modelInPath, urlPath } from './url-path.ts'
import { type NormalContent, readPieces, toMessage, toResultMessage, toTool, toToolCall, withoutUndefined } from './normal-shapes.ts'
import { writeFrame } from './event-stream.ts'
import { framedResponse, jsonResponse, type MadeAnswer, toMadeAnswer } from './made-answer.ts'
import { ownFields } from './own-fields.ts'

const partOf = requestParts('messages', { system: 'system-prompt', toolConfig: 'tool-schema', promptVariables: 'messages' }, [
  'requestMetadata',
  'performanceConfig',
  'serviceTier',
  'schemaVersion',
])

/**
 * Amazon Bedrock's Converse and ConverseStream. The address names the model; a stream is an AWS event stream.
 *
 * @see https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
 */
export const bedrockConverse: Dialect = {
  name: 'bedrock.converse',
  /** Reads the body of a Converse request. `inferenceConfig` and its sibling fields are sampling. */
  request(json, url) {
    const record = recordOf(json)
    const { tools, ...toolConfig } = recordOf(record['toolConfig'])
    return {
      provider: providerOf(url),
      model: modelInPath(url),
      stream: urlPath(url).endsWith('-stream'),
      sampling: { ...fieldsBut(record, ownFields.converse), ...recordOf(record['inferenceConfig']), ...toolConfig },
      system: recordsOf(record['system']).flatMap((block) => textOf(block['text']) ?? []),
      messages: recordsOf(record['messages']).flatMap(readMessage),
      tools: recordsOf(tools).flatMap(readTool),
    }
  },
  // The tool that the model has to call is named next to the tools, but is sampling.
  requestPart: (path, recorded, live) => (path[0] === 'toolConfig' && path[1] === 'toolChoice' ? 'sampling' : partOf(path, recorded, live)),
  renameToolCalls: (json, rename) =>
    changeEach(json, 'messages', (message) => changeEach(message, 'content', (block) => renameInBlock(block, rename))),
  editRequest: requestEditor('bedrock.converse', conversePlaces),
  answer: (body, contentType) => readAnswer(body, contentType, readConverseAnswer),
  /** Makes an answer, or its events, framed as Bedrock frames them. Reasoning goes into a block without a signature. */
  respond(spec, json, url) {
    const request = bedrockConverse.request(json, url)
    const answer = toMadeAnswer(spec, request, 'tooluse')
    if (!request.stream) return jsonResponse(makeConversed(answer))
    const frames = makeConverseEvents(answer).flatMap((event) => Object.entries(event).map(([type, payload]) => writeFrame(type, payload)))
    return framedResponse(frames)
  },
}

function renameInBlock(block: JsonRecord, rename: RenameToolCall): JsonRecord {
  const [call, result] = [recordOf(block['toolUse']), recordOf(block['toolResult'])]
  const [callId, resultId] = [textOf(call['toolUseId']), textOf(result['toolUseId'])]
  if (callId !== undefined) return { ...block, toolUse: { ...call, toolUseId: rename('call', callId) } }
  if (resultId !== undefined) return { ...block, toolResult: { ...result, toolUseId: rename('result', resultId) } }
  return block
}

/** Returns one message for the text, and one for each tool result. */
function readMessage(message: JsonRecord): readonly NormalMessage[] {
  const blocks = recordsOf(message['content'])
  const said = blocks.filter((block) => block['toolResult'] === undefined)
  const results = blocks.filter((block) => block['toolResult'] !== undefined).map((block) => readResult(recordOf(block['toolResult'])))
  return said.length > 0 || results.length === 0 ? [...results, readSaid(message['role'], said)] : results
}

function readSaid(role: unknown, blocks: readonly JsonRecord[]): NormalMessage {
  const content = readContent(blocks.filter((block) => !isToolUse(block)))
  return toMessage(role === 'assistant' ? 'assistant' : 'user', content, blocks.filter(isToolUse).map(readToolUse))
}

function readResult({ toolUseId, content, status }: JsonRecord): NormalMessage {
  return toResultMessage(toolUseId, readContent(recordsOf(content)), status === 'error')
}

/** The only field of a block names its kind. The JSON of a tool result is its text. */
function readContent(blocks: readonly JsonRecord[]): NormalContent {
  const textIn = ({ text, json }: JsonRecord): string | undefined =>
    typeof text === 'string' || json === undefined ? (text as string | undefined) : JSON.stringify(json)
  return readPieces(blocks, textIn, (block) => Object.keys(block)[0])
}

function isToolUse(block: JsonRecord): boolean {
  return block['toolUse'] !== undefined
}

/** The tools may include a cache mark. */
function readTool(tool: JsonRecord): NormalTool | [] {
  if (tool['cachePoint'] !== undefined) return []
  const [kind = '', declared] = Object.entries(tool)[0] ?? []
  const { name, description, inputSchema, ...settings } = recordOf(declared)
  return toTool(textOf(name) ?? kind, description, recordOf(inputSchema)['json'], settings)
}

/** @see https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html */
const STOP_REASONS = new Map<unknown, StopReason>([
  ['end_turn', 'end'],
  ['stop_sequence', 'end'],
  ['tool_use', 'tool-calls'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['guardrail_intervened', 'refused'],
  ['content_filtered', 'refused'],
])

/** Reads an answer, complete or as the events of a stream. */
export function readConverseAnswer(content: AnswerContent): NormalAnswer {
  const answer = content.kind === 'json' ? recordOf(content.json) : assembleConversed(content.events.map(recordOf))
  const message = recordOf(answer['output'])['message']
  const blocks = recordsOf(recordOf(message)['content'])
  return withoutUndefined<NormalAnswer>({
    text: joinedTexts(blocks, 'text'),
    reasoning: textOf(joinedTexts(blocks.map(reasoningOf), 'text')),
    toolCalls: blocks.filter(({ toolUse }) => isJsonObject(toolUse)).map(readToolUse),
    stopReason: stopReasonIn(STOP_REASONS, answer['stopReason']),
    usage: readUsage(recordOf(answer['usage'])),
    error: errorOf(answer) ?? (isJsonObject(message) ? undefined : unreadable(answer)),
  })
}

function reasoningOf(block: JsonRecord): JsonRecord {
  return recordOf(recordOf(block['reasoningContent'])['reasoningText'])
}

/** In a stream the input arrives as text, which `assembleConversed` keeps as `inputText`. */
function readToolUse(block: JsonRecord): NormalToolCall {
  const { toolUseId, name, input, inputText } = recordOf(block['toolUse'])
  return toToolCall(toolUseId, name, input, textOf(inputText))
}

/** Like Anthropic's, `inputTokens` excludes cache reads and writes. An invoked Nova uses different names. */
function readUsage(usage: JsonRecord): NormalAnswer['usage'] {
  const read = numberOf(usage['cacheReadInputTokens']) ?? numberOf(usage['cacheReadInputTokenCount'])
  const written = numberOf(usage['cacheWriteInputTokens']) ?? numberOf(usage['cacheWriteInputTokenCount'])
  const cached = { cacheReadTokens: read, cacheWriteTokens: written }
  return toUsage([usage['inputTokens'], read, written], [usage['outputTokens']], cached)
}

/** Assembles an answer from the events of a stream, each under its type. The text of a tool's input is kept in `inputText`. */
function assembleConversed(events: readonly JsonRecord[]): JsonRecord {
  const blocks = new Map<number, JsonRecord>()
  let rest: JsonRecord = {}
  let error: unknown
  for (const event of events) {
    error ??= errorOf(event)
    const { contentBlockIndex, start, delta } = recordOf(event['contentBlockStart'] ?? event['contentBlockDelta'])
    const index = numberOf(contentBlockIndex)
    if (index !== undefined) blocks.set(index, addToBlock(recordOf(blocks.get(index)), recordOf(start ?? delta)))
    rest = { ...rest, ...pick(event['messageStop'], 'stopReason'), ...pick(event['metadata'], 'usage') }
  }
  const content = inOrder(blocks)
  return { output: { message: { content } }, ...rest, ...(error !== undefined && { error }) }
}

function addToBlock(block: JsonRecord, added: JsonRecord): JsonRecord {
  const text = textOf(added['text'])
  if (text !== undefined) return { ...block, text: joined(block['text'], text) }
  if (added['toolUse'] !== undefined) {
    const [before, { input, ...named }] = [recordOf(block['toolUse']), recordOf(added['toolUse'])]
    return { ...block, toolUse: { ...before, ...named, inputText: joined(before['inputText'], input) } }
  }
  const thought = textOf(recordOf(added['reasoningContent'])['text'])
  if (thought === undefined) return block
  return { ...block, reasoningContent: { reasoningText: { text: joined(reasoningOf(block)['text'], thought) } } }
}

function pick(record: unknown, name: string): JsonRecord {
  const value = recordOf(record)[name]
  return value === undefined ? {} : { [name]: value }
}

const NO_USAGE = { inputTokens: 0, outputTokens: 0, totalTokens: 0 }

/** Returns an answer as one JSON value. */
export function makeConversed(answer: MadeAnswer): JsonRecord {
  const content = blocksOf(answer).map(({ whole }) => whole)
  return { metrics: { latencyMs: 0 }, output: { message: { content, role: 'assistant' } }, stopReason: stopOf(answer), usage: NO_USAGE }
}

/** Returns an answer as the events of a stream, each under its type. Only blocks of tool calls have a start of their own. */
export function makeConverseEvents(answer: MadeAnswer): readonly JsonRecord[] {
  const blocks = blocksOf(answer).flatMap(({ start, delta }, contentBlockIndex): JsonRecord[] => [
    ...(start === undefined ? [] : [{ contentBlockStart: { contentBlockIndex, start } }]),
    { contentBlockDelta: { contentBlockIndex, delta } },
    { contentBlockStop: { contentBlockIndex } },
  ])
  return [
    { messageStart: { role: 'assistant' } },
    ...blocks,
    { messageStop: { stopReason: stopOf(answer) } },
    { metadata: { metrics: { latencyMs: 0 }, usage: NO_USAGE } },
  ]
}

/** A content block of an answer, its start in a stream, and the stream's additions to it. */
interface MadeBlock {
  readonly whole: JsonRecord
  readonly start?: JsonRecord
  readonly delta: JsonRecord
}

function blocksOf({ text, reasoning, toolCalls }: MadeAnswer): readonly MadeBlock[] {
  return [
    ...(reasoning === ''
      ? []
      : [{ whole: { reasoningContent: { reasoningText: { text: reasoning } } }, delta: { reasoningContent: { text: reasoning } } }]),
    ...(text === '' ? [] : [{ whole: { text }, delta: { text } }]),
    ...toolCalls.map(({ id, name, args, argsText }) => {
      const named = { toolUseId: id, name }
      return { whole: { toolUse: { ...named, input: args } }, start: { toolUse: named }, delta: { toolUse: { input: argsText } } }
    }),
  ]
}

function stopOf({ toolCalls }: MadeAnswer): string {
  return toolCalls.length > 0 ? 'tool_use' : 'end_turn'
}
