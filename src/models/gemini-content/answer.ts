import { errorOf, eventsOf, unreadable, type AnswerContent } from '../answer-body.ts'
import type { NormalAnswer, NormalUsage, StopReason } from '../dialect.ts'
import { numberOf, recordOf, recordsOf, textOf, type JsonRecord } from '../json-fields.ts'
import { withoutUndefined } from '../without-undefined.ts'
import { readFunctionCall } from './tool-call.ts'

/** @see https://ai.google.dev/api/generate-content#FinishReason */
const STOP_REASONS = new Map<unknown, StopReason>([
  ['STOP', 'end'],
  ['MAX_TOKENS', 'length'],
  ...['SAFETY', 'RECITATION', 'LANGUAGE', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII', 'MODEL_ARMOR'].map(
    (word) => [word, 'refused'] as const,
  ),
  ...['IMAGE_SAFETY', 'IMAGE_PROHIBITED_CONTENT', 'IMAGE_RECITATION'].map((word) => [word, 'refused'] as const),
])

/** Reads an answer, or puts the chunks of a stream together: each is an answer of its own with the parts that are new. */
export function readGeminiAnswer(content: AnswerContent): NormalAnswer {
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
  return parts.map((part) => ((part['thought'] === true) === isThought ? (textOf(part['text']) ?? '') : '')).join('')
}

/** `STOP` is what it says for tool calls too. A prompt that is blocked has no candidates. */
function stopReasonOf(chunks: readonly JsonRecord[], candidates: readonly JsonRecord[], callsTools: boolean): StopReason | undefined {
  const word = candidates.map((candidate) => textOf(candidate['finishReason'])).findLast((reason) => reason !== undefined)
  if (word === undefined)
    return chunks.some((chunk) => recordOf(chunk['promptFeedback'])['blockReason'] !== undefined) ? 'refused' : undefined
  const reason = STOP_REASONS.get(word) ?? 'other'
  return reason === 'end' && callsTools ? 'tool-calls' : reason
}

/** Google counts thoughts, and what its own tools put into the prompt, apart. */
function readUsage(usage: JsonRecord): NormalUsage | undefined {
  const [prompt, candidates] = [numberOf(usage['promptTokenCount']), numberOf(usage['candidatesTokenCount'])]
  if (prompt === undefined && candidates === undefined) return undefined
  const thoughts = numberOf(usage['thoughtsTokenCount'])
  return withoutUndefined<NormalUsage>({
    inputTokens: (prompt ?? 0) + (numberOf(usage['toolUsePromptTokenCount']) ?? 0),
    outputTokens: (candidates ?? 0) + (thoughts ?? 0),
    cacheReadTokens: numberOf(usage['cachedContentTokenCount']),
    reasoningTokens: thoughts,
  })
}
