import { fromBase64, toBase64 } from '../../trace/base64.ts'
import type { InTick } from '../../trace/rows.ts'
import type { RunRow } from '../../trace/run-row.ts'
import type { EntryBody, RawEntry, RawReads } from '../raw/raw-entry.ts'

/** What is told of a run in its turn with its entries. */
export type RunMessage =
  | { readonly kind: 'begin'; readonly recorder: number; readonly header: RunRow; readonly isObserved: boolean }
  | RawEntry
  /** Nothing follows. */
  | { readonly kind: 'close' }

/** A message with the run that it is of and what comes with it. */
export interface Delivered {
  readonly run: number
  readonly message: RunMessage
  /** Its memory is used again as soon as the next one is asked for. */
  readonly body: EntryBody
}

/*
 * A message lies in a page as its run, the lengths of its JSON and of its body (three little-endian numbers of four bytes), a byte that says what
 * these are, and both.
 */
export const HEAD = 13

/** What the body is: nothing, text, bytes, or a `ResentText`: its two places (a byte each), its two lengths (four bytes each) and what was added. */
export const NONE = 0
export const TEXT = 1
export const BYTES = 2
export const RESENT = 3
export const RESENT_HEAD = 10

/**
 * Added to what the body is where the numbers of an event stand in place of the JSON, its step (four bytes), its time (eight), and its mark: for a
 * piece of an answer, of which there are the most by far, and for an answer's end where there is no more to say of it.
 */
export const PIECE = 4
export const ENDED = 8
export const NUMBERS = 13

/** The same of draws that are all numbers: their owner, how many there are of each of `DRAWN`, and those, of eight bytes each. */
export const DRAWS = 16
export const DRAWS_HEAD = 16
export const DRAWN = ['clock', 'monotonic', 'random'] as const

export const SAME_TICK = 1
export const SAME_TURN = 2

/** The numbers of an event. */
export interface Numbers extends InTick {
  readonly step: number
  readonly at: number
}

/** What of a message is JSON. */
export type PlainMessage = Exclude<RunMessage, RawReads> | (Omit<RawReads, 'bytes'> & { readonly bytes: readonly string[] })

/** Draws hold bytes; nothing else does. */
export function toPlain(message: RunMessage): PlainMessage {
  if (message.kind !== 'reads') return message
  return { ...message, bytes: message.bytes.map(toBase64) }
}

export function fromPlain(message: PlainMessage): RunMessage {
  return message.kind === 'reads' ? { ...message, bytes: message.bytes.map(fromBase64) } : message
}
