import type { AnswerSpec, ModelResponse } from '../dialect.ts'
import type { JsonRecord } from '../json-fields.ts'
import { eventStreamResponse, jsonResponse, toMadeAnswer, type MadeAnswer } from '../made-answer.ts'
import { writeEvent } from '../server-sent-events.ts'
import { readGeminiRequest } from './request.ts'

const NO_USAGE = { promptTokenCount: 0, candidatesTokenCount: 0, totalTokenCount: 0 }

/**
 * Makes an answer, or a stream with a chunk for each part: server-sent events for `alt=sse`, otherwise the elements of an array, as Google
 * frames them.
 */
export function makeGeminiAnswer(spec: AnswerSpec, json: unknown, url: string): ModelResponse {
  const request = readGeminiRequest(json, url)
  const answer = toMadeAnswer(spec, request, 'call')
  const common = { usageMetadata: NO_USAGE, modelVersion: request.model, responseId: `goldenrun_${answer.turn}` }
  const parts = partsOf(answer)
  if (!request.stream) return jsonResponse({ candidates: [candidateOf(parts, true)], ...common })
  const chunks = parts.map((part, index) => ({ candidates: [candidateOf([part], index === parts.length - 1)], ...common }))
  if (/[?&]alt=sse\b/.test(url)) return eventStreamResponse(chunks.map((chunk) => writeEvent(chunk)))
  return { ...jsonResponse(null), body: `[${chunks.map((chunk) => JSON.stringify(chunk)).join('\n,\r\n')}\n]` }
}

function candidateOf(parts: readonly JsonRecord[], isLast: boolean): JsonRecord {
  return { content: { parts, role: 'model' }, ...(isLast && { finishReason: 'STOP' }), index: 0 }
}

function partsOf({ text, reasoning, toolCalls }: MadeAnswer): readonly JsonRecord[] {
  return [
    ...(reasoning === '' ? [] : [{ text: reasoning, thought: true }]),
    ...(text === '' && toolCalls.length > 0 ? [] : [{ text }]),
    ...toolCalls.map(({ id, name, args }) => ({ functionCall: { id, name, args } })),
  ]
}
