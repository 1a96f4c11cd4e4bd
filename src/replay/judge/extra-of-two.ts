import type { ReplayCall } from '../calls/replay-call.ts'
import type { PlannedStep } from '../calls/plan.ts'
import type { CallOrder } from './call-order.ts'
import type { Finding } from './finding.ts'

/**
 * Which of two equal calls is the extra one, if the trace has only one: usually the second. If the first was made too early, the first is, and the
 * second is the recorded call in its place, so the order is not to be reported.
 *
 * @param repeated The recorded step that the first call took.
 * @param found The findings so far. Those that report the first call's order are removed.
 */
export function extraOfTwo(second: ReplayCall, repeated: PlannedStep | undefined, order: CallOrder, found: Finding[]): ReplayCall {
  const first = repeated && order.callOf(repeated.call.step)
  if (first === undefined || first.number >= second.number) return second
  const isOfFirst = ({ divergence: { cause, step, before } }: Finding): boolean =>
    cause === 'order' && (before === repeated?.call.step || step === repeated?.call.step)
  const others = found.filter((finding) => !isOfFirst(finding))
  if (others.length === found.length) return second
  found.splice(0, found.length, ...others)
  return first
}
