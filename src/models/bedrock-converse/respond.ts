import type { AnswerSpec, ModelResponse } from '../dialect.ts'
import { writeFrame } from '../event-stream.ts'
import type { JsonRecord } from '../json-fields.ts'
import { jsonResponse, toMadeAnswer, type MadeAnswer } from '../made-answer.ts'
import { readConverseRequest } from './request.ts'

const NO_USAGE = { inputTokens: 0, outputTokens: 0, totalTokens: 0 }

/** Makes an answer, or its events: framed as Bedrock frames them. Reasoning goes into a block without a signature. */
export function makeConverseAnswer(spec: AnswerSpec, json: unknown, url: string): ModelResponse {
  const request = readConverseRequest(json, url)
  const answer = toMadeAnswer(spec, request, 'tooluse')
  if (!request.stream) return jsonResponse(makeConversed(answer))
  const frames = makeConverseEvents(answer).flatMap((event) => Object.entries(event).map(([type, payload]) => writeFrame(type, payload)))
  return framedResponse(frames)
}

/** An answer as an AWS event stream. */
export function framedResponse(frames: readonly Uint8Array[]): ModelResponse {
  const body = new Uint8Array(frames.reduce((length, frame) => length + frame.length, 0))
  let offset = 0
  for (const frame of frames) {
    body.set(frame, offset)
    offset += frame.length
  }
  return { status: 200, headers: [['content-type', 'application/vnd.amazon.eventstream']], body }
}

/** An answer as one JSON value. */
export function makeConversed(answer: MadeAnswer): JsonRecord {
  const content = blocksOf(answer).map(({ whole }) => whole)
  return { metrics: { latencyMs: 0 }, output: { message: { content, role: 'assistant' } }, stopReason: stopOf(answer), usage: NO_USAGE }
}

/** An answer as the events of a stream, each under its type. Only blocks of tool calls have a start of their own. */
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

/** A content block as it is in an answer, as it starts in a stream, and what is added to it there. */
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
