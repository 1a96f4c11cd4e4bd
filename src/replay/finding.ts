import type { RunDraws } from './draws/run-draws.ts'
import type { Divergence } from '../divergence/divergence.ts'
import type { PlannedStep } from './plan.ts'

/** Something that differs, at a place in the trace. */
export interface Finding {
  /** An index into the trace's rows; between two rows for what the trace does not have. */
  readonly place: number
  readonly divergence: Divergence
}

/** What a call is that equals no recorded one. */
export interface UnequalCall extends Finding {
  /** The recorded step that it stands for, if any. */
  readonly step?: PlannedStep
  /** Whether it may stand for it all the same. */
  readonly isAllowed: boolean
}

/** What is known of the run that is held against a trace. */
export interface Known {
  /** What it drew from clock and chance, and what was recorded of that. */
  readonly draws: RunDraws
  /** Whether a trace of a replay tells of it, where answers come later than they did and nothing says which calls had just been made. Default: no. */
  readonly isReplayed?: boolean
}
