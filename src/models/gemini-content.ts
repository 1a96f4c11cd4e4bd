import { isJsonObject } from '../trace/json.ts'
import { type AnswerContent, errorOf, eventsOf, readAnswer, toUsage, unreadable } from './answer-body.ts'
import type { Dialect, NormalAnswer, NormalMessage, NormalPart, NormalTool, NormalToolCall, RenameToolCall, StopReason } from './dialect.ts'
import { changeEach, fieldsBut, joinedTexts, type JsonRecord, numberOf, recordOf, recordsOf, textOf } from './json-fields.ts'
import { fieldOf, spellings } from './gemini-spellings.ts'
import { requestParts } from './request-part.ts'
import { geminiPlaces } from './edit/gemini-places.ts'
import { requestEditor } from './edit/request-editor.ts'
import { providerOf } from './provider.ts'
import { modelInPath, urlPath } from './url-path.ts'
import { toMessage, toResultMessage, toTool, toToolCall, withoutUndefined } from './normal-shapes.ts'
import { eventStreamResponse, jsonResponse, type MadeAnswer, toMadeAnswer } from './made-answer.ts'
import { writeEvent } from './server-sent-events.ts'
import { ownFields } from './own-fields.ts'

/**
 * Gemini's `generateContent` and `streamGenerateContent`, at Google AI and on Vertex. The address names the model.
 *
 * @see https://ai.google.dev/api/generate-content
 */
export const geminiContent: Dialect = {
  name: 'gemini.content',
  /** Reads the body of a `generateContent` request. The fields of `generationConfig` and its siblings are sampling. */
  request(json, url) {
    const record = recordOf(json)
    return {
      provider: providerOf(url),
      model: modelInPath(url),
      stream: urlPath(url).endsWith(':streamGenerateContent'),
      sampling: { ...fieldsBut(record, ownFields.gemini), ...recordOf(fieldOf(record, 'generationConfig')) },
      system: partsOf(fieldOf(record, 'systemInstruction')).flatMap((part) => textOf(part['text']) ?? []),
      messages: contentsOf(record['contents']).flatMap(readContent),
      tools: recordsOf(record['tools']).flatMap(readTools),
    }
  },
  requestPart: requestParts(
    'contents',
    {
      systemInstruction: 'system-prompt',
      system_instruction: 'system-prompt',
      cachedContent: 'messages',
      cached_content: 'messages',
    },
    ['labels'],
  ),
  renameToolCalls: (json, rename) =>
    changeEach(json, 'contents', (content) => changeEach(content, 'parts', (part) => renameInPart(part, rename))),
  editRequest: requestEditor('gemini.content', geminiPlaces),
  answer: (body, contentType) => readAnswer(body, contentType, readGeminiAnswer),
  /**
   * Makes an answer, or a stream with a chunk for each part: server-sent events for `alt=sse`, otherwise the elements of an array, as Google
   * frames them.
   */
  respond(spec, json, url) {
    const request = geminiContent.request(json, url)
    const answer = toMadeAnswer(spec, request, 'call')
    const common = { usageMetadata: NO_USAGE, modelVersion: request.model, responseId: `goldenrun_${answer.turn}` }
    const parts = madeParts(answer)
    if (!request.stream) return jsonResponse({ candidates: [candidateOf(parts, true)], ...common })
    const chunks = parts.map((part, index) => ({ candidates: [candidateOf([part], index === parts.length - 1)], ...common }))
    if (/[?&]alt=sse\b/.test(url)) return eventStreamResponse(chunks.map((chunk) => writeEvent(chunk)))
    return { ...jsonResponse(null), body: `[${chunks.map((chunk) => JSON.stringify(chunk)).join('\n,\r\n')}\n]` }
  },
}

/** Ids are optional: many clients omit them, and results are then in the order of their calls. */
function renameInPart(part: JsonRecord, rename: RenameToolCall): JsonRecord {
  const renamed: Record<string, unknown> = { ...part }
  for (const [names, of] of ID_FIELDS) {
    for (const name of names) {
      const id = textOf(recordOf(part[name])['id'])
      if (id !== undefined) renamed[name] = { ...recordOf(part[name]), id: rename(of, id) }
    }
  }
  return renamed
}

const ID_FIELDS = [
  [['functionCall', 'function_call'], 'call'],
  [['functionResponse', 'function_response'], 'result'],
] as const

function contentsOf(contents: unknown): readonly JsonRecord[] {
  return isJsonObject(contents) ? [contents] : recordsOf(contents)
}

function partsOf(content: unknown): readonly JsonRecord[] {
  const parts = recordOf(content)['parts']
  return isJsonObject(parts) ? [parts] : recordsOf(parts)
}

/** Returns one message for the text, and one for each tool result. */
function readContent(content: JsonRecord): readonly NormalMessage[] {
  const isResult = (part: JsonRecord): boolean => fieldOf(part, 'functionResponse') !== undefined
  const parts = partsOf(content)
  const said = parts.filter((part) => !isResult(part))
  const results = parts.filter(isResult).map((part) => readResult(recordOf(fieldOf(part, 'functionResponse'))))
  return said.length > 0 || results.length === 0 ? [...results, readSaid(content['role'], said)] : results
}

function readSaid(role: unknown, parts: readonly JsonRecord[]): NormalMessage {
  const calls = parts.flatMap((part) => fieldOf(part, 'functionCall') ?? []).map(readFunctionCall)
  return toMessage(role === 'model' ? 'assistant' : 'user', { text: textOfParts(parts, false), parts: parts.flatMap(readPart) }, calls)
}

function readResult({ id, response }: JsonRecord): NormalMessage {
  const text = typeof response === 'string' ? response : (JSON.stringify(response) ?? '')
  return toResultMessage(id, { text, parts: [] })
}

/** A part that is neither text nor a call is named after the field that contains it. */
function readPart(part: JsonRecord): NormalPart | [] {
  if (part['thought'] === true) return { kind: 'thought', value: part }
  if (typeof part['text'] === 'string' || fieldOf(part, 'functionCall') !== undefined) return []
  const kind = Object.keys(part).find((name) => isJsonObject(part[name])) ?? 'unknown'
  return { kind, value: part }
}

/** One entry declares any number of functions, or is one of Google's own tools, named by its only field. */
function readTools(tool: JsonRecord): readonly NormalTool[] {
  const own = Object.entries(fieldsBut(tool, FUNCTIONS)).map(([name, value]): NormalTool => ({ name, settings: recordOf(value) }))
  return [...recordsOf(fieldOf(tool, 'functionDeclarations')).map(readFunction), ...own]
}

const FUNCTIONS = spellings(['functionDeclarations'])
const FUNCTION_FIELDS = spellings(['name', 'description', 'parameters', 'parametersJsonSchema'])

function readFunction(declared: JsonRecord): NormalTool {
  const schema = declared['parameters'] ?? fieldOf(declared, 'parametersJsonSchema')
  return toTool(textOf(declared['name']) ?? '', declared['description'], schema, fieldsBut(declared, FUNCTION_FIELDS))
}

/** @see https://ai.google.dev/api/generate-content#FinishReason */
const STOP_REASONS = new Map<unknown, StopReason>([
  ['STOP', 'end'],
  ['MAX_TOKENS', 'length'],
  ...['SAFETY', 'RECITATION', 'LANGUAGE', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII', 'MODEL_ARMOR'].map(
    (word) => [word, 'refused'] as const,
  ),
  ...['IMAGE_SAFETY', 'IMAGE_PROHIBITED_CONTENT', 'IMAGE_RECITATION'].map((word) => [word, 'refused'] as const),
])

/** Reads an answer, or the chunks of a stream: each chunk is an answer that contains the new parts. */
function readGeminiAnswer(content: AnswerContent): NormalAnswer {
  const chunks = eventsOf(content).map(recordOf)
  const candidates = chunks.flatMap(({ candidates: some }) => recordsOf(some).filter(({ index }) => (index ?? 0) === 0))
  const parts = candidates.flatMap((candidate) => recordsOf(recordOf(candidate['content'])['parts']))
  const toolCalls = parts.flatMap((part) => part['functionCall'] ?? []).map(readFunctionCall)
  const error = chunks.map(errorOf).find((found) => found !== undefined)
  const other = chunks.some(isAnswer) || chunks.length === 0 ? undefined : unreadable(chunks[0])
  return withoutUndefined<NormalAnswer>({
    model: chunks.map((chunk) => textOf(chunk['modelVersion'])).find((model) => model !== undefined),
    text: textOfParts(parts, false),
    reasoning: textOf(textOfParts(parts, true)),
    toolCalls,
    stopReason: stopReasonOf(chunks, candidates, toolCalls.length > 0),
    usage: chunks.map(({ usageMetadata }) => readUsage(recordOf(usageMetadata))).findLast((usage) => usage !== undefined),
    error: error ?? other,
  })
}

function isAnswer(chunk: JsonRecord): boolean {
  return ['candidates', 'promptFeedback', 'usageMetadata'].some((name) => chunk[name] !== undefined)
}

function textOfParts(parts: readonly JsonRecord[], isThought: boolean): string {
  return joinedTexts(parts, 'text', ({ thought }) => (thought === true) === isThought)
}

/** `STOP` is used for tool calls as well. A blocked prompt has no candidates. */
function stopReasonOf(chunks: readonly JsonRecord[], candidates: readonly JsonRecord[], callsTools: boolean): StopReason | undefined {
  const word = candidates.map((candidate) => textOf(candidate['finishReason'])).findLast((reason) => reason !== undefined)
  if (word === undefined)
    return chunks.some((chunk) => recordOf(chunk['promptFeedback'])['blockReason'] !== undefined) ? 'refused' : undefined
  const reason = STOP_REASONS.get(word) ?? 'other'
  return reason === 'end' && callsTools ? 'tool-calls' : reason
}

/** Google counts thoughts separately, and also the tokens that its own tools add to the prompt. */
function readUsage(usage: JsonRecord): NormalAnswer['usage'] {
  const thoughts = numberOf(usage['thoughtsTokenCount'])
  return toUsage([usage['promptTokenCount'], usage['toolUsePromptTokenCount']], [usage['candidatesTokenCount'], thoughts], {
    cacheReadTokens: numberOf(usage['cachedContentTokenCount']),
    reasoningTokens: thoughts,
  })
}

/** Reads a `functionCall`. Its arguments are JSON, not text. */
function readFunctionCall(call: unknown): NormalToolCall {
  const { id, name, args } = recordOf(call)
  return toToolCall(id, name, args)
}

const NO_USAGE = { promptTokenCount: 0, candidatesTokenCount: 0, totalTokenCount: 0 }

function candidateOf(parts: readonly JsonRecord[], isLast: boolean): JsonRecord {
  return { content: { parts, role: 'model' }, ...(isLast && { finishReason: 'STOP' }), index: 0 }
}

function madeParts({ text, reasoning, toolCalls }: MadeAnswer): readonly JsonRecord[] {
  return [
    ...(reasoning === '' ? [] : [{ text: reasoning, thought: true }]),
    ...(text === '' && toolCalls.length > 0 ? [] : [{ text }]),
    ...toolCalls.map(({ id, name, args }) => ({ functionCall: { id, name, args } })),
  ]
}
