/** A tool call that a scripted model makes. */
export interface TurnCall {
  readonly id: string
  readonly name: string
  /** JSON, as the model prints it. */
  readonly argumentsText: string
}

/** What a scripted model says. */
export interface Turn {
  readonly text?: string | null
  readonly calls?: readonly TurnCall[]
  /** Milliseconds between two pieces of a streamed answer. Default: 2. */
  readonly pieceMs?: number
}

/** What the world says to a call. */
export interface Reply {
  /** A tool gives it by value, a server as JSON. */
  readonly value?: unknown
  /** What a model says. */
  readonly turn?: Turn
  /** A tool throws it; a server says it with a status. */
  readonly fails?: string
  /** Of a server. Default: 200, or 500 where it fails. */
  readonly status?: number
  /** How long the answer takes, in milliseconds. Default: 8. */
  readonly ms?: number
}

/** A call, as a script is told of it. */
export interface ScriptedCall {
  /** A tool's name, `model`, or method and path: `POST /refunds`. */
  readonly name: string
  readonly input: unknown
  /** 1 for the first call of that name. */
  readonly count: number
}

/** Answers every call of a run, whatever it asks: each run has a script of its own, which may remember how far it is. */
export type Script = (call: ScriptedCall) => Reply

/** A tool call of the model's, its arguments printed compactly. */
export function asks(id: string, name: string, args: unknown): TurnCall {
  return { id, name, argumentsText: JSON.stringify(args) }
}
