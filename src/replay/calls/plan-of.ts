import type { CallRow } from '../../trace/rows.ts'
import type { Trace } from '../../trace/trace.ts'
import { createPlan, type Plan } from './plan.ts'

/** The part of a call that determines how a replay answers it. */
export type PlannedCall = Pick<CallRow, 'step' | 'boundary' | 'name' | 'input'>

const plans = new WeakMap<Trace, { readonly answered: string; readonly plan: Plan }>()

/**
 * The plan of a trace, created once for consecutive replays that answer calls in the same way. Neither trace nor plan is modified.
 *
 * @param isAmbient As in `createPlan`.
 * @param runs As in `createPlan`.
 */
export function planOf(trace: Trace, isAmbient: (call: PlannedCall) => boolean, runs: (call: PlannedCall) => boolean): Plan {
  const leftOut = new Set<number>()
  const running = new Set<number>()
  for (const step of trace.steps) {
    if (isAmbient(step)) leftOut.add(step.step)
    else if (runs(step)) running.add(step.step)
  }
  const answered = [leftOut, running].map((steps) => [...steps].join(' ')).join('|')
  const known = plans.get(trace)
  if (known?.answered === answered) return known.plan
  const plan = createPlan(
    trace,
    ({ step }) => leftOut.has(step),
    ({ step }) => running.has(step),
  )
  plans.set(trace, { answered, plan })
  return plan
}
