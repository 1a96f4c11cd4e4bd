import type { NormalRequest } from './normal-request.ts'

/** A tool call that the scripted model makes. */
export interface TurnToolCall {
  /** Default: counted within the conversation, `call_2_1` for the first call of the second turn (Anthropic: `toolu_2_1`). */
  readonly id?: string
  readonly name: string
  readonly args: unknown
  /** The arguments exactly as the model printed them. Default: `args` as compact JSON. */
  readonly argumentsText?: string
}

/** Token counts that an answer reports. */
export interface TurnUsage {
  readonly inputTokens: number
  readonly outputTokens: number
}

/** What an error answer says; what is left out is what the provider says with that status. */
export interface TurnError {
  readonly type?: string
  readonly message?: string
  readonly code?: string
}

/** One answer of the scripted model. */
export interface Turn {
  readonly text?: string
  readonly toolCalls?: readonly TurnToolCall[]
  /** Default: a quarter of the characters sent and received, rounded up. */
  readonly usage?: TurnUsage
  /** The model that the answer names. Default: the one asked for. */
  readonly model?: string
  /** From 400 on, the answer is an error in the provider's own shape. Default: 200. */
  readonly status?: number
  /** Added to the provider's own headers; `retry-after` goes here. */
  readonly headers?: Readonly<Record<string, string>>
  readonly error?: TurnError
  /** In how many deltas the text, and each call's arguments, are streamed. Default: one for every six characters. */
  readonly chunks?: number
  /** Milliseconds between two streamed events. Default: 0, they come one turn of the event loop apart. */
  readonly chunkDelayMs?: number
  /** Milliseconds before the answer starts. Default: 0. */
  readonly delayMs?: number
  /** Destroys the connection: before anything is sent, or when half of the body is. */
  readonly cut?: 'before-head' | 'mid-stream'
}

/**
 * What the scripted model answers: a function of the request, or a list that every conversation goes through from its start.
 *
 * A list's place is read off the conversation (how many turns it has been answered), so that any number of conversations can use one list
 * at once. Turns that fail (an error status, or cut) are answered before the next one that does not, once each, whenever a conversation
 * with that opening comes to them. Conversations that open with the same words at the same time share those failures.
 */
export type Script = readonly Turn[] | ((request: NormalRequest) => Turn | Promise<Turn>)

/** Whether the caller of `turn` gets an error and will ask again, with the conversation no further than before. */
export function isFailure(turn: Turn): boolean {
  return turn.cut !== undefined || (turn.status ?? 200) >= 400
}
