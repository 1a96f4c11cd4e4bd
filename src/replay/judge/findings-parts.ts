import type { Plan } from '../calls/plan.ts'
import type { ReplayRedaction } from '../calls/replay-redaction.ts'
import type { ReplaySettings } from '../contract/replay-options.ts'
import type { Conductor } from '../engine/conductor.ts'
import type { RunDraws } from './draws/run-draws.ts'
import type { TimeLimits } from './time-limits.ts'

/** The dependencies of `Findings`. */
export interface FindingsParts {
  readonly plan: Plan
  readonly conductor: Conductor
  readonly settings: ReplaySettings
  readonly redaction: ReplayRedaction
  readonly draws: RunDraws
  readonly limits: TimeLimits
  readonly isReplayed: boolean
}
