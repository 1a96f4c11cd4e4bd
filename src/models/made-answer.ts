import { concatBytes } from '../trace/body.ts'
import type { AnswerParts, AnswerSpec, ModelResponse, NormalRequest } from './dialect.ts'

/** An answer to make, with its defaults filled in. */
export interface MadeAnswer {
  readonly text: string
  readonly reasoning: string
  readonly toolCalls: readonly MadeToolCall[]
  /** The turn of the conversation, 1 for the first. It distinguishes the answer's ids from those of other turns. */
  readonly turn: number
}

/** A tool call to make. `argsText` is the arguments as JSON. */
export interface MadeToolCall {
  readonly id: string
  readonly name: string
  readonly args: unknown
  readonly argsText: string
}

/**
 * Fills in an answer's defaults. Ids are numbered: `<idPrefix>_goldenrun_<turn>_<n>`. `earlierId` is the id of an earlier made answer, if the request
 * continues it without resending the conversation.
 */
export function toMadeAnswer(answer: AnswerSpec, request: NormalRequest, idPrefix: string, earlierId?: unknown): MadeAnswer {
  const parts: AnswerParts = typeof answer === 'string' ? { text: answer } : answer
  const turn = turnOf(request, earlierId)
  const toolCalls = (parts.toolCalls ?? []).map(({ id, name, args = {} }, index) => {
    return { id: id ?? `${idPrefix}_goldenrun_${turn}_${index + 1}`, name, args, argsText: JSON.stringify(args) }
  })
  return { text: parts.text ?? '', reasoning: parts.reasoning ?? '', toolCalls, turn }
}

/** Returns an answer as JSON. */
export function jsonResponse(json: unknown): ModelResponse {
  return { status: 200, headers: [['content-type', 'application/json']], body: JSON.stringify(json) }
}

/** Returns an answer as server-sent events. */
export function eventStreamResponse(events: readonly string[]): ModelResponse {
  return { status: 200, headers: [['content-type', 'text/event-stream; charset=utf-8']], body: events.join('') }
}

/** Returns an answer as an AWS event stream. */
export function framedResponse(frames: readonly Uint8Array[]): ModelResponse {
  return { status: 200, headers: [['content-type', 'application/vnd.amazon.eventstream']], body: concatBytes(frames) }
}

/**
 * Returns the turn after those in the request, judging by its assistant messages and by the ids of made answers in it: a history that is trimmed on
 * every turn keeps its length.
 */
function turnOf({ messages }: NormalRequest, earlierId: unknown): number {
  const ids = messages.flatMap((message) => [...(message.toolCalls ?? []), message.toolResult].map((part) => part?.id))
  const ours = [earlierId, ...ids].map((id) => Number(/_goldenrun_(\d+)/.exec(String(id))?.[1] ?? 0))
  return 1 + ours.reduce((most, turn) => Math.max(most, turn), messages.filter(({ role }) => role === 'assistant').length)
}
