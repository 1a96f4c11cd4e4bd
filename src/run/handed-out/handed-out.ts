/** Something that an agent handed out piece by piece, in the form that a trace keeps. */
export interface HandedOut {
  /** `object`: an object that offers streams and is read through its members (the result of the AI SDK's `streamText`). */
  readonly kind: 'iterable' | 'stream' | 'response' | 'object'
  /** What it yielded, in order; for a stream, its chunks. */
  readonly yielded: readonly unknown[]
  /** What a generator returned after everything that it yielded. */
  readonly returned?: unknown
  /** For a response. */
  readonly status?: number
  /** For a response: its content type. */
  readonly contentType?: string
  /** The reader did not read it to its end. */
  readonly left?: true
  /** For an object: its members that were read, in order of access. */
  readonly parts?: readonly HandedOutPart[]
  /** For a plain object: its other values. */
  readonly values?: Readonly<Record<string, unknown>>
}

/** A member of an object that was handed out. */
export interface HandedOutPart extends Omit<HandedOut, 'kind'> {
  readonly name: string
  /** `value`: a promise; `written`: it was written to a server response. */
  readonly kind: HandedOut['kind'] | 'value' | 'written'
}

/** How the reading of what was handed out ended. */
export type HandedOutEnd = { readonly output: HandedOut } | { readonly error: unknown }

/** Receives events about what was handed out. A part's name is empty if the value itself is read. */
export interface HandedOutWatcher {
  /** The reader asks for the next piece; the first is 1. */
  reads(part: string, count: number): void
  /** A piece was given. */
  gives(part: string): void
  /** The reader stopped after asking for `count` pieces; `isWaiting` if the last one has not been given. */
  leaves(part: string, count: number, isWaiting: boolean): void
  /** The run is over. Called once. */
  ends(end: HandedOutEnd): void
}

/** Whether a value is handed out piece by piece. */
export function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return looksLike(
    () => typeof value === 'object' && value !== null && Symbol.asyncIterator in value && typeof value[Symbol.asyncIterator] === 'function',
  )
}

/** The answer of a look into somebody else's value, which may be a proxy that throws or is revoked: then it is nothing that is known. */
export function looksLike(look: () => boolean): boolean {
  try {
    return look()
  } catch {
    return false
  }
}
