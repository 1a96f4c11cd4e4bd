import type { CallRow } from '../../trace/rows.ts'
import type { Trace } from '../../trace/trace.ts'
import { createPlan, type Plan } from './plan.ts'

/** The part of a call that determines how a replay answers it. */
export type PlannedCall = Pick<CallRow, 'boundary' | 'name' | 'input'>

const plans = new WeakMap<Trace, { readonly answered: string; readonly plan: Plan }>()

/**
 * The plan of a trace, created once for consecutive replays that answer calls alike. Neither trace nor plan is modified.
 *
 * @param isAmbient As in `createPlan`.
 * @param runs As in `createPlan`.
 */
export function planOf(trace: Trace, isAmbient: (call: PlannedCall) => boolean, runs: (call: PlannedCall) => boolean): Plan {
  const answered = trace.steps.map((step) => (isAmbient(step) ? 'a' : runs(step) ? 'r' : '.')).join('')
  const known = plans.get(trace)
  if (known?.answered === answered) return known.plan
  const plan = createPlan(trace, isAmbient, runs)
  plans.set(trace, { answered, plan })
  return plan
}
