import type { Divergence } from '../../divergence/divergence.ts'
import type { PlannedStep } from '../calls/plan.ts'

/** Something that differs, at a place in the trace. */
export interface Finding {
  /** An index into the trace's rows; between two rows for what the trace does not have. */
  readonly place: number
  readonly divergence: Divergence
}

/** The decision on a call that equals no recorded one. */
export interface UnequalCall extends Finding {
  /** The recorded step that it matches, if any. */
  readonly step?: PlannedStep
  /** Whether the match is allowed despite the difference. */
  readonly isAllowed: boolean
}
