import type { Boundary, Effect } from './boundary.ts'
import type { Credential } from './http-facts.ts'
import type { CheckpointRow, EndRow, RecordedError, Row } from './rows.ts'
import type { RunRow } from './run-row.ts'

/** The recorded data of one run. */
export interface Trace {
  readonly header: RunRow
  /** Every row, including the header, in the order in which things happened. */
  readonly rows: readonly Row[]
  readonly steps: readonly Step[]
  /** The agent's own checkpoints. */
  readonly checkpoints: readonly CheckpointRow[]
  /** The checkpoints that the recorder took by its policy. */
  readonly policyCheckpoints: readonly CheckpointRow[]
  /** Absent if the run did not end: the process died, or the file is cut. */
  readonly end?: EndRow
  /**
   * Until when the recorder watched the work that the run left behind, in milliseconds since the run started. Absent in traces of format 1, and if
   * the process died before: nothing is known about the time after the end then.
   */
  readonly watchedUntil?: number
  /** SHA-256 (hex) of what the run did: no ids, times, reads or call sites. */
  readonly hash: string
}

/**
 * One boundary call with its outcome. A step in flight (the run ended first) has no `settledAt` and no `error`, and its `output` is the part of an
 * HTTP answer that had arrived.
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
  /** In whose name the call was made, and values of the environment that it sent. Absent if there are none. */
  readonly credentials?: readonly Credential[]
  /** The client that made the request, by its `user-agent`, unless the earlier call of the same name has the same. */
  readonly client?: string
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
