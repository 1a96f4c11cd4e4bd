import type { RunPlace } from './run-place.ts'

/** What a run draws from clock and chance. */
export type DrawnKind = 'time' | 'number' | 'id' | 'bytes'

/** A drawn value that differs from the recorded one, and was equal by nothing but the order in which the run reads: one draw stands for one. */
export interface DrawnValue {
  readonly place: RunPlace
  /** Where in the input, state or outcome, as reports write it: `args.id`, `headers.idempotency-key`. */
  readonly path: string
  readonly kind: DrawnKind
  /** As it is written in the trace. */
  readonly expected: string
  /** As the replay wrote it. */
  readonly received: string
}
