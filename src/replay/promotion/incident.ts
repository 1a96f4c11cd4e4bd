import type { Check, Expectation } from '../../trace/run-row.ts'
import { type RepeatedSideEffect, repeatedSideEffects, sideEffectsOf } from '../../trace/side-effects.ts'
import type { Trace } from '../../trace/trace.ts'
import { PromoteError } from './promote-error.ts'

/** What an incident golden holds beside the recorded run. */
export interface IncidentOptions {
  /** The step at or before which the agent has to depart from the recorded run. Default: the first that repeats a side effect. */
  readonly at?: number
  /** Answers for the calls that the agent makes after it departed, by tool, host or boundary name. Default: none. */
  readonly answers?: Readonly<Record<string, unknown>>
  /** What the departed run has to pass. Default: `toHaveNoRepeatedSideEffects` where `at` repeats a side effect, else nothing. */
  readonly checks?: readonly Check[]
}

/** The side effects that a run repeated, inferred ones among them. */
export function findRepeatedSideEffects({ header, steps }: Pick<Trace, 'header' | 'steps'>): RepeatedSideEffect[] {
  return repeatedSideEffects(sideEffectsOf(steps, header.ambient?.names))
}

/**
 * What the golden of an incident expects: that the agent departs from the recorded run.
 *
 * @throws PromoteError when `at` is not given and the run repeats no side effect, or when there is no step `at`.
 */
export function expectDeparture(trace: Trace, { at, answers, checks }: IncidentOptions = {}): Expectation {
  const repeated = findRepeatedSideEffects(trace)
  const step = at ?? repeated[0]?.step
  if (step === undefined) {
    throw new PromoteError('GOLDENRUN_PROMOTE_INCIDENT', {
      trace: trace.header.id,
      problem: 'it repeats no side effect, so it does not tell by itself where it went wrong.',
      advice: `Name the step that should not happen again: --incident <step>. To see the steps: npx goldenrun show ${trace.header.id}`,
    })
  }
  checkStep(trace, step)
  const byDefault = repeated.some((effect) => effect.step === step) ? [{ matcher: 'toHaveNoRepeatedSideEffects' }] : undefined
  const kept = checks ?? byDefault
  return { replay: 'departs', at: step, ...(answers === undefined ? {} : { answers }), ...(kept === undefined ? {} : { checks: kept }) }
}

/** @throws PromoteError when the trace has no such step. */
export function checkStep({ header, steps }: Trace, step: number): void {
  if (steps.some((candidate) => candidate.step === step)) return
  const last = steps.at(-1)
  throw new PromoteError('GOLDENRUN_PROMOTE_INCIDENT', {
    trace: header.id,
    problem: last === undefined ? `it has no steps, so none to depart at.` : `it has no step ${step}.`,
    advice:
      last === undefined
        ? 'Record a run that makes a call.'
        : `Its steps are 1 to ${last.step}. To see them: npx goldenrun show ${header.id}`,
  })
}
