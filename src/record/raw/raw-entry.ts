import type { RunSummary } from '../../stores/run-summary.ts'
import type { HeaderPairs } from '../../trace/http-facts.ts'
import type { CallRow, Fact, HeadRow, HttpInput, InTick, ReadsRow, ReturnRow, Row, ThrowRow } from '../../trace/rows.ts'
import type { RunRow } from '../../trace/run-row.ts'
import type { ResentText } from '../resent-texts.ts'

/**
 * An event that a run hands over, in the order in which events happen. Values are in recorded form and unredacted; bodies are as they went over the
 * wire. An entry consists of JSON, except for the bytes of `RawReads`.
 */
export type RawEntry =
  /** A row that does not belong to an exchange, or the `call` row of a function. */
  { readonly kind: 'row'; readonly row: RawRow } | RawReads | RawRequest | RawSent | RawHead | RawPiece | RawOutput | RawSettled

/** A row that is handed over unchanged. */
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

/** An HTTP request starts: its `call` row belongs here, whatever follows in between. */
export interface RawRequest extends Pick<CallRow, 'step' | 'owner' | 'at'>, Pick<HttpInput, 'method' | 'url' | 'redirect'> {
  readonly kind: 'request'
  /** Set for a model call. */
  readonly dialect?: string
  /** Set when the body was available: it comes with the entry, and no `RawSent` follows. */
  readonly sent?: SentRequest
}

/** The request's body is known; it comes with the entry. */
export interface RawSent extends SentRequest {
  readonly kind: 'sent'
  readonly step: number
}

/** The data of a request that is known once its body is. */
export interface SentRequest {
  /** The headers that say what the request asks for, and in whose name. */
  readonly headers: HeaderPairs
  readonly client?: string
  readonly attempt: number
  /** The `content-encoding` of the body's bytes. */
  readonly encoding?: string
  /** The number of bytes of the body that had been sent, if it was cut off. */
  readonly cut?: number
}

/** An answer's status and headers. */
export interface RawHead extends HeadRow {
  /** The `content-encoding` of the pieces, unless they arrive decoded. */
  readonly encoding?: string
}

/** A piece of an answer's body; its bytes come with the entry. */
export interface RawPiece extends InTick {
  readonly kind: 'piece'
  readonly step: number
  readonly at: number
}

/** A piece of a child process's output; its bytes come with the entry. */
export interface RawOutput extends Omit<RawPiece, 'kind'> {
  readonly kind: 'output'
  /** Absent for the standard output. */
  readonly stream?: string
}

/** An exchange or a child process settles. */
export interface RawSettled {
  readonly kind: 'settled'
  readonly row: ReturnRow | ThrowRow
}

/** The body that comes with an entry. It may be changed as soon as the entry has been taken. */
export type RawBody = Uint8Array | string | undefined

/** The body after resent texts have been recognised. */
export type EntryBody = RawBody | ResentText

/** Takes the entries of one run. */
export interface RawSink {
  take(entry: RawEntry, body?: EntryBody): void
  /** Returns whether `bytes` more may wait to be written. Absent if nothing waits. */
  hasRoom?(bytes: number): boolean
  /**
   * Has a side effect written before it happens, in the run's journal if there is one. Without a journal, a declared side effect waits a few
   * milliseconds at most for the rows taken so far. Returns whether it was written.
   *
   * @param call Without its arguments.
   */
  announce(call: CallRow): boolean
  /** Waits until the entries taken so far have reached the operating system, for a few milliseconds at most. Returns whether they have. */
  flush(): boolean
}

/** The receiver of a run, from its header to its end. */
export interface RunSink extends RawSink {
  /**
   * Ends the run. Calls `onClosed`, synchronously or later, when everything is written or writing failed.
   *
   * @param keeps Decides from the run's summary whether it is kept. Default: it is.
   */
  close(onClosed: (closed: Closed) => void, keeps?: (summary: RunSummary) => boolean): void
}

/** The outcome of a recording. */
export interface Closed {
  /** Whether it is kept; a recording that is not kept has left nothing behind. */
  readonly isKept: boolean
  readonly failure?: { readonly error: unknown }
  /** Resolves once the store has the recording, and rejects if it lost it. `by flush`: only the store's next flush tells. Absent if it is stored. */
  readonly stored?: Promise<void> | 'by flush'
}
