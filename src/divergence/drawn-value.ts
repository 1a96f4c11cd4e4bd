import type { RunPlace } from './run-place.ts'

/** The kinds of values that a run reads from the clock and random sources. */
export type DrawnKind = 'time' | 'number' | 'id' | 'bytes'

/** A drawn value that differs from the recorded one and was matched only by the order of the run's reads, one to one. */
export interface DrawnValue {
  readonly place: RunPlace
  /** Where in the input, state or outcome, as reports write it: `args.id`, `headers.idempotency-key`. */
  readonly path: string
  readonly kind: DrawnKind
  /** The text in the trace. */
  readonly expected: string
  /** The text in the replay. */
  readonly received: string
}
