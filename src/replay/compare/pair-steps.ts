import { knownOrMade } from '../../trace/remember.ts'
import type { Step } from '../../trace/trace.ts'
import type { ReplayCall } from '../calls/replay-call.ts'
import type { Plan } from '../calls/plan.ts'

/** A pair of matching steps, or a step that only one of the runs has. */
export interface StepPair {
  readonly a?: Step
  readonly b?: Step
}

/**
 * Pairs the steps of two runs, in the order of `a`. Steps that only `b` has are placed where they were made.
 *
 * @param made The calls of `b`, by their step in `b`.
 */
export function pairSteps(
  plan: Plan,
  made: ReadonlyMap<number, { readonly call: ReplayCall }>,
  stepsOfA: ReadonlyMap<number, Step>,
  stepsOfB: ReadonlyMap<number, Step>,
): StepPair[] {
  const partners = new Map<number, Step>()
  const extra = new Map<number, StepPair[]>()
  let last = 0
  for (const [step, { call }] of made) {
    const b = stepsOfB.get(step)
    if (b === undefined) continue
    if (call.planned === undefined) knownOrMade(extra, last, () => []).push({ b })
    else partners.set((last = call.planned.call.step), b)
  }
  const recorded = [...plan.steps.keys()].flatMap((number): StepPair[] => {
    const [a, b] = [stepsOfA.get(number), partners.get(number)]
    return [...(a === undefined ? [] : [{ a, ...(b && { b }) }]), ...(extra.get(number) ?? [])]
  })
  return [...(extra.get(0) ?? []), ...recorded]
}
