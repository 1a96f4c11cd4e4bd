import type { PlannedStep } from '../calls/plan.ts'
import type { ReplayCall } from '../calls/replay-call.ts'
import type { Conductor } from '../engine/conductor.ts'
import type { CallRouter } from './call-router.ts'
import type { JudgedBy } from './finding.ts'
import type { Findings } from './findings.ts'
import type { IncidentWatch } from './incident/incident-watch.ts'

/** The dependencies of a judge. */
export interface JudgeParts extends JudgedBy {
  readonly conductor: Conductor
  readonly findings: Findings
  /** Marks the run as doing its own work until the release is called. */
  busy(): () => void
  /** For an incident golden: what must not happen again. */
  readonly incident?: IncidentWatch | undefined
  /** For a fork: answers the calls from its step on. */
  readonly router?: CallRouter | undefined
  /** The untaken steps that an unequal call may be a changed form of. Default: all. */
  changeable?: ((call: ReplayCall, steps: readonly PlannedStep[]) => readonly PlannedStep[]) | undefined
  /** After this many refusals, calls no longer settle. Default: 50. */
  readonly refusalLimit?: number | undefined
}
