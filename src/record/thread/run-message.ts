import { fromBase64, toBase64 } from '../../trace/base64.ts'
import type { InTick } from '../../trace/rows.ts'
import type { RunRow } from '../../trace/run-row.ts'
import type { EntryBody, RawEntry, RawReads } from '../raw/raw-entry.ts'

/** A message about a run, in order with its entries. */
export type RunMessage =
  | { readonly kind: 'begin'; readonly recorder: number; readonly header: RunRow; readonly isObserved: boolean }
  | RawEntry
  /** The run is closed. */
  | { readonly kind: 'close' }

/** A message with its run and its body. */
export interface Delivered {
  readonly run: number
  readonly message: RunMessage
  /** Its memory is reused as soon as the next message is asked for. */
  readonly body: EntryBody
}

/*
 * The layout of a message in a page: its run, the lengths of its JSON and of its body (three little-endian numbers of four bytes), a byte that
 * says what these are, and both.
 */
export const HEAD = 13

/** The kinds of body: nothing, text, bytes, or a `ResentText` (its two places, a byte each; its two lengths, four bytes each; and the added text). */
export const NONE = 0
export const TEXT = 1
export const BYTES = 2
export const RESENT = 3
export const RESENT_HEAD = 10

/**
 * Added to the kind of the body if the numbers of an event replace the JSON: its step (four bytes), its time (eight), and its mark. Used for a piece
 * of an answer, by far the most frequent message, and for an answer's end that says nothing else.
 */
export const PIECE = 4
export const ENDED = 8
export const NUMBERS = 13

/** The same for draws that are all numbers: their owner, the count of each of `DRAWN`, and the numbers themselves, eight bytes each. */
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

/** The part of a message that is JSON. */
export type PlainMessage = Exclude<RunMessage, RawReads> | (Omit<RawReads, 'bytes'> & { readonly bytes: readonly string[] })

/** Converts the bytes of draws; nothing else contains bytes. */
export function toPlain(message: RunMessage): PlainMessage {
  if (message.kind !== 'reads') return message
  return { ...message, bytes: message.bytes.map(toBase64) }
}

export function fromPlain(message: PlainMessage): RunMessage {
  return message.kind === 'reads' ? { ...message, bytes: message.bytes.map(fromBase64) } : message
}
