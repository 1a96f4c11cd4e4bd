import type { DrawnValue } from '../../divergence/drawn-value.ts'
import type { IncidentVerdict } from '../../divergence/incident-verdict.ts'
import type { Report } from '../../divergence/report/report.ts'
import type { TrustedStandIn } from '../../divergence/stand-in-places.ts'
import type { UnprovenCredential } from '../../divergence/unproven-credential.ts'
import type { HoldStatus } from '../../matchers/holds.ts'

/** The verdict on a trace that was replayed, in a form that can be sent to another process. */
export interface JudgedTrace {
  /** `could not run`: it could not be replayed. */
  readonly status: HoldStatus | 'could not run'
  /** For an incident golden that held: the evidence. */
  readonly evidence?: string
  /** For a trace that held: values that were compared only as stand-ins, if any. */
  readonly standIns?: readonly TrustedStandIn[]
  /** For a trace that held: values that were matched only by the order of their reads from the clock and random sources. */
  readonly drawn?: readonly DrawnValue[]
  /** For a trace that held: credentials that were accepted although they could not be compared, if any. */
  readonly credentials?: readonly UnprovenCredential[]
  /** For a trace that held: what else the reader has to know. */
  readonly note?: string
  /** For an incident golden that does not hold: the verdict on its incident. */
  readonly incident?: IncidentVerdict
  /** Why the trace does not hold. */
  readonly report?: Report
  /** For a trace that does not hold: a text that is equal for two replays if they did the same, and differ in the same way. */
  readonly identity?: string
  /** Why the trace could not run, or was not judged because an earlier run of its conversation does not hold. */
  readonly message?: string
  /** The name, in messages, of the file that shows the recorded run and the replay side by side. */
  readonly page?: string
}
