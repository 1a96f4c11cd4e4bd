import { orElse } from '../../trace/or-else.ts'
import type { HeaderPairs } from '../../trace/http-facts.ts'

/** Something that an agent handed out piece by piece, in the form that a trace keeps. */
export interface HandedOut {
  /** `object`: an object that offers streams and is read through its members (the result of the AI SDK's `streamText`). */
  readonly kind: 'iterable' | 'stream' | 'response' | 'object'
  /** What it yielded, in order; a stream's chunks. */
  readonly yielded: readonly unknown[]
  /** What a generator returned at the end. */
  readonly returned?: unknown
  /** For a response: its status. */
  readonly status?: number
  /** For a response: its reason phrase, if it has one. */
  readonly statusText?: string
  /** For a response: the headers that say more than how it was sent, without digests of its body. */
  readonly headers?: HeaderPairs
  /** For a response, before format 3: its content type. */
  readonly contentType?: string
  /** Set if the reader did not read it to its end. */
  readonly left?: true
  /** For an object: its members that were read, in order of access. */
  readonly parts?: readonly HandedOutPart[]
  /** For a plain object: its other values. */
  readonly values?: Readonly<Record<string, unknown>>
}

/** A member of an object that was handed out. */
export interface HandedOutPart extends Omit<HandedOut, 'kind'> {
  readonly name: string
  /** `value`: a promise; `written`: written to a server response. */
  readonly kind: HandedOut['kind'] | 'value' | 'written'
}

/** How the reading of what was handed out ended. */
export type HandedOutEnd = { readonly output: HandedOut } | { readonly error: unknown }

/** Receives events about what was handed out. A part's name is empty if the value itself is read. */
export interface HandedOutWatcher {
  /** Whether a response is described by its headers: since format 3. */
  readonly describesHeaders: boolean
  /** The reader requests the next piece; the first is 1. */
  reads(part: string, count: number): void
  /** The run gave a piece: it was yielded, or put into its stream, where it may wait for its reader. */
  hands(part: string): void
  /** A piece was delivered. */
  gives(part: string): void
  /** The reader stopped after requesting `count` pieces; `isWaiting` if the last one has not been delivered. */
  leaves(part: string, count: number, isWaiting: boolean): void
  /** The run has ended. Called once. */
  ends(end: HandedOutEnd): void
}

/** Returns whether a value is an async iterable. */
export function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return orElse(
    () => typeof value === 'object' && value !== null && Symbol.asyncIterator in value && typeof value[Symbol.asyncIterator] === 'function',
    false,
  )
}

/** The names of the `signal` rows for the reader of what an agent handed out. */
export const handedOutSignals = {
  /** The reader requested the next piece after something else had happened since the last one. */
  read: 'handed-out.read',
  /** The reader stopped. */
  leave: 'handed-out.leave',
} as const

/** The value of such a row. */
export interface HandedOutSignal {
  /** The part that is read; empty for the value itself. */
  readonly part: string
  /** How many of its pieces had been requested, including this one. */
  readonly count: number
  /** For a reader that stopped: whether the last requested piece had not been delivered. */
  readonly isWaiting?: boolean
}

/**
 * Returns whether a value is an object whose members are streams: `{ stream, id }`, or the result of the AI SDK's `streamText`. The latter's
 * streams are getters with side effects, so they are recognized by name.
 */
export function offersStreams(value: unknown): value is object {
  return orElse(() => hasStreams(value), false)
}

function hasStreams(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const isPlain = isPlainObject(value)
  for (
    let home: unknown = value;
    typeof home === 'object' && home !== null && home !== Object.prototype;
    home = Object.getPrototypeOf(home)
  ) {
    for (const [name, { value: held, get }] of Object.entries(Object.getOwnPropertyDescriptors(home))) {
      if (get !== undefined && /stream$/i.test(name)) return true
      if (isPlain && isSource(held)) return true
    }
  }
  return false
}

/** Returns whether a value is handed out piece by piece. */
export function isSource(value: unknown): value is Response | ReadableStream<unknown> | AsyncIterable<unknown> {
  return orElse(() => (value instanceof Response ? value.body !== null : isAsyncIterable(value)), false)
}

/** Returns whether a value is not an instance of a class. */
export function isPlainObject(value: object): boolean {
  return orElse(() => {
    const prototype: unknown = Object.getPrototypeOf(value)
    return prototype === Object.prototype || prototype === null
  }, false)
}
