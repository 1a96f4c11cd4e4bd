import type { NormalRequest } from './normal-request.ts'
import { splitText } from './split-text.ts'
import type { Turn, TurnToolCall, TurnUsage } from './turn.ts'

/** A tool call with nothing left to default. */
export interface ReplyToolCall {
  readonly id: string
  readonly name: string
  readonly args: unknown
  readonly argumentsText: string
  /** The arguments as they are streamed. */
  readonly pieces: readonly string[]
}

/** A successful turn with nothing left to default: what the wire formats print. */
export interface Reply {
  /** Which answer of the provider this is; the answer's id is made of it. */
  readonly ordinal: number
  /** 1 for the conversation's first turn; ids that are resent with the history are made of it. */
  readonly turn: number
  readonly model: string
  /** Seconds since 1970, counted instead of read from a clock. */
  readonly created: number
  /** Undefined where the model only calls tools. */
  readonly text: string | undefined
  /** The text as it is streamed. */
  readonly pieces: readonly string[]
  readonly toolCalls: readonly ReplyToolCall[]
  readonly usage: TurnUsage
}

/** 2026-01-01T00:00:00Z. */
const FIRST_ANSWER = 1_767_225_600

const CHARACTERS_PER_TOKEN = 4

/**
 * Fills in what `turn` leaves out.
 *
 * @param toolCallPrefix What the dialect's tool call ids start with: `call`, `toolu`.
 */
export function toReply(turn: Turn, request: NormalRequest, toolCallPrefix: string): Reply {
  const place = request.turn + 1
  const toolCalls = (turn.toolCalls ?? []).map((call, index) =>
    toReplyToolCall(call, `${toolCallPrefix}_${place}_${index + 1}`, turn.chunks),
  )
  const text = turn.text ?? (toolCalls.length === 0 ? '' : undefined)
  return {
    ordinal: request.ordinal,
    turn: place,
    model: turn.model ?? request.model,
    created: FIRST_ANSWER + request.ordinal,
    text,
    pieces: splitText(text ?? '', turn.chunks),
    toolCalls,
    usage: turn.usage ?? countTokens(request, text, toolCalls),
  }
}

function toReplyToolCall(call: TurnToolCall, id: string, chunks: number | undefined): ReplyToolCall {
  const argumentsText = call.argumentsText ?? JSON.stringify(call.args)
  return { id: call.id ?? id, name: call.name, args: call.args, argumentsText, pieces: splitText(argumentsText, chunks) }
}

function countTokens(request: NormalRequest, text: string | undefined, toolCalls: readonly ReplyToolCall[]): TurnUsage {
  const received = JSON.stringify(request.json).length
  const sent = toolCalls.reduce((sum, call) => sum + call.name.length + call.argumentsText.length, text?.length ?? 0)
  return { inputTokens: Math.ceil(received / CHARACTERS_PER_TOKEN), outputTokens: Math.ceil(sent / CHARACTERS_PER_TOKEN) }
}
