import type { RunSummary } from '../../stores/run-summary.ts'
import type { CallRow, Fact, HeaderPairs, HeadRow, InTick, ReadsRow, ReturnRow, Row, ThrowRow } from '../../trace/rows.ts'
import type { RunRow } from '../../trace/run-row.ts'
import type { ResentText } from '../resent-texts.ts'

/**
 * What a run hands over of what happens in it, in the order in which it happens. Values are in recorded form and not redacted, bodies are as they
 * went over the wire; nothing in an entry but the bytes of `RawReads` is other than JSON.
 */
export type RawEntry =
  /** A row that is no exchange's, or the `call` row of a function. */
  { readonly kind: 'row'; readonly row: RawRow } | RawReads | RawRequest | RawSent | RawHead | RawPiece | RawOutput | RawSettled

/** A row that is handed over as it is. */
export type RawRow = Exclude<Row, RunRow | ReadsRow>

/** Draws of one owner, each list in the order in which they were drawn. */
export interface RawReads {
  readonly kind: 'reads'
  readonly owner: number
  /** Milliseconds since the epoch. */
  readonly clock: readonly number[]
  /** Microseconds since the process started. */
  readonly monotonic: readonly number[]
  readonly random: readonly number[]
  readonly uuid: readonly string[]
  readonly bytes: readonly Uint8Array[]
  /** Their values are in recorded form. */
  readonly facts: readonly Fact[]
}

/** An HTTP request starts: its `call` row stands here, whatever comes in between. */
export interface RawRequest {
  readonly kind: 'request'
  readonly step: number
  readonly owner: number
  readonly method: string
  readonly url: string
  /** Of a model call. */
  readonly dialect?: string
  readonly at: number
  /** Where its body was at hand: it comes with the entry, and no `RawSent` follows. */
  readonly sent?: SentRequest
}

/** The request's body is known; it comes with the entry. */
export interface RawSent extends SentRequest {
  readonly kind: 'sent'
  readonly step: number
}

/** What is known of a request once its body is. */
export interface SentRequest {
  /** Those that carry meaning. */
  readonly headers: HeaderPairs
  readonly attempt: number
  /** The `content-encoding` that the body's bytes are in. */
  readonly encoding?: string
  /** How many bytes of the body had been sent, if it was cut off. */
  readonly cut?: number
}

/** An answer's status and headers. */
export interface RawHead extends HeadRow {
  /** The `content-encoding` that the pieces are in, where they do not come decoded. */
  readonly encoding?: string
}

/** A piece of an answer's body; its bytes come with the entry. */
export interface RawPiece extends InTick {
  readonly kind: 'piece'
  readonly step: number
  readonly at: number
}

/** A piece of what a child process puts out; its bytes come with the entry. */
export interface RawOutput extends Omit<RawPiece, 'kind'> {
  readonly kind: 'output'
  /** Absent: the standard output. */
  readonly stream?: string
}

/** An exchange, or a child process, settles. */
export interface RawSettled {
  readonly kind: 'settled'
  readonly row: ReturnRow | ThrowRow
}

/** What comes with an entry beside what it says. It may be changed as soon as the entry was taken. */
export type RawBody = Uint8Array | string | undefined

/** The same once it was looked for what the run sends again. */
export type EntryBody = RawBody | ResentText

/** Takes the entries of one run. */
export interface RawSink {
  take(entry: RawEntry, body?: EntryBody): void
  /** Whether so many bytes more may wait to be written. Absent where nothing waits. */
  hasRoom?(bytes: number): boolean
  /**
   * Has a side effect written down before it happens, in the run's journal where there is one. Else what was taken is waited for, where its effect is
   * declared, for a few milliseconds at most. Whether that was enough.
   *
   * @param call Without what it is called with.
   */
  announce(call: CallRow): boolean
  /** Waits until what was taken is with the operating system, for a few milliseconds at most. Whether it is. */
  flush(): boolean
}

/** Where a run is handed over to, from its header to its end. */
export interface RunSink extends RawSink {
  /**
   * Nothing follows: `onClosed` is told, at once or later, when all is written, or what failed.
   *
   * @param keeps Decides by what is known of the run whether it is kept. Default: it is.
   */
  close(onClosed: (closed: Closed) => void, keeps?: (summary: RunSummary) => boolean): void
}

/** What came of a recording. */
export interface Closed {
  /** Whether it is kept; one that is not has left nothing behind. */
  readonly isKept: boolean
  readonly failure?: { readonly error: unknown }
}
