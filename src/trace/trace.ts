import type { Boundary, Effect } from './boundary.ts'
import type { CheckpointRow, EndRow, RecordedError, Row } from './rows.ts'
import type { RunRow } from './run-row.ts'

/** The recorded data of one run. */
export interface Trace {
  readonly header: RunRow
  /** Every row, the header included, in the order in which things happened. */
  readonly rows: readonly Row[]
  readonly steps: readonly Step[]
  /** Those that the agent took. */
  readonly checkpoints: readonly CheckpointRow[]
  /** Those that the recorder took, by its policy. */
  readonly policyCheckpoints: readonly CheckpointRow[]
  /** Absent when the run did not end: the process died, or the file is cut. */
  readonly end?: EndRow
  /**
   * Until when the recorder watched what the run left behind, in milliseconds since the run started. Absent in traces of format 1, and where the
   * process died before: what came after the end is not known then.
   */
  readonly watchedUntil?: number
  /** SHA-256 (hex) of what the run did: no ids, times, reads or call sites. */
  readonly hash: string
}

/**
 * One boundary call with its outcome. In flight (the run ended before it did) it has no `settledAt`, no `error`, and as `output` only what had
 * arrived of an HTTP answer.
 */
export interface Step {
  readonly step: number
  /** The step in whose body it was made, 0 for the run itself. */
  readonly owner: number
  readonly boundary: Boundary
  readonly name: string
  readonly effect?: Effect
  readonly idempotencyKey?: string
  readonly attempt?: number
  /** A tool's arguments; an `HttpInput` for `model` and `http`. */
  readonly input: unknown
  /** A tool's result; an `HttpOutput` with status, headers and the whole body for `model` and `http`. */
  readonly output?: unknown
  readonly error?: RecordedError
  /** In a fork, from its step on: the route that the call took. */
  readonly route?: 'recorded' | 'sandbox' | 'run' | 'live' | 'refuse'
  /** Milliseconds since the run started. */
  readonly at: number
  readonly settledAt?: number
}
