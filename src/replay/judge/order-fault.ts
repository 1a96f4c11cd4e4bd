import type { PlannedStep } from '../calls/plan.ts'
import type { ReplayCall } from '../calls/replay-call.ts'

/** A step that was not made when it should have been. */
export interface OrderFault {
  readonly step: PlannedStep
  readonly call: ReplayCall
  /** The step that should have come before it, or the step that came instead. */
  readonly before?: PlannedStep
  /** The connection whose message should have come before it. */
  readonly follows?: string
}
