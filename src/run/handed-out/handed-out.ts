/** What an agent handed out piece by piece, as a trace keeps it. */
export interface HandedOut {
  /** `object`: what offers streams, and is read by way of some of its members (the result of the AI SDK's `streamText`). */
  readonly kind: 'iterable' | 'stream' | 'response' | 'object'
  /** What it yielded, in order; of a stream its chunks. */
  readonly yielded: readonly unknown[]
  /** What a generator returned behind all that it yielded. */
  readonly returned?: unknown
  /** Of a response. */
  readonly status?: number
  /** Of a response: its content type. */
  readonly contentType?: string
  /** Whoever was handed it did not read it to its end. */
  readonly left?: true
  /** Of an object: its members that were read, in the order in which they were taken. */
  readonly parts?: readonly HandedOutPart[]
  /** Of a plain object: what else is in it. */
  readonly values?: Readonly<Record<string, unknown>>
}

/** A member of an object that was handed out. */
export interface HandedOutPart extends Omit<HandedOut, 'kind'> {
  readonly name: string
  /** `value`: a promise; `written`: it was written to an answer of a server. */
  readonly kind: HandedOut['kind'] | 'value' | 'written'
}

/** How what was handed out came to its end. */
export type HandedOutEnd = { readonly output: HandedOut } | { readonly error: unknown }

/** Whoever wants to know what becomes of what was handed out. A part's name is empty where the value itself is read. */
export interface HandedOutWatcher {
  /** Somebody asks for the next piece; the first is 1. */
  reads(part: string, count: number): void
  /** A piece was given. */
  gives(part: string): void
  /** Whoever was handed it went away, having asked for so many pieces; `isWaiting` where the last has not been given. */
  leaves(part: string, count: number, isWaiting: boolean): void
  /** The run is over. Called once. */
  ends(end: HandedOutEnd): void
}

/** What is handed out piece by piece. */
export function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value && typeof value[Symbol.asyncIterator] === 'function'
}
