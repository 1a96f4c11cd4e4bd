/** A tool call that a scripted model makes. */
export interface TurnCall {
  readonly id: string
  readonly name: string
  /** JSON text, as the model prints it. */
  readonly argumentsText: string
}

/** A scripted model's turn. */
export interface Turn {
  readonly text?: string | null
  readonly calls?: readonly TurnCall[]
  /** Milliseconds between pieces of a streamed answer. Default: 2. */
  readonly pieceMs?: number
}

/** The world's reply to a call. */
export interface Reply {
  /** A tool returns it by value, a server as JSON. */
  readonly value?: unknown
  /** A model's turn. */
  readonly turn?: Turn
  /** A tool throws it; a server sends it with a status. */
  readonly fails?: string
  /** The status of a server's reply. Default: 200, or 500 if it fails. */
  readonly status?: number
  /** How long the answer takes, in milliseconds. Default: 8. */
  readonly ms?: number
}

/** A call, as passed to a script. */
export interface ScriptedCall {
  /** A tool's name, `model`, or method and path: `POST /refunds`. */
  readonly name: string
  readonly input: unknown
  /** Counts calls with that name, from 1. */
  readonly count: number
}

/** Answers every call of a run, whatever it asks. Each run has its own script, which may keep state. */
export type Script = (call: ScriptedCall) => Reply

/** Creates a tool call of the model, with its arguments printed compactly. */
export function asks(id: string, name: string, args: unknown): TurnCall {
  return { id, name, argumentsText: JSON.stringify(args) }
}
