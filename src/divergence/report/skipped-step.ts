import { compareInputs } from '../compare-inputs.ts'
import type { Divergence, FieldDifference } from '../divergence.ts'
import { lackedResult, resultTexts } from '../step-result.ts'
import type { ReportedRun } from './reported-run.ts'
import { nextUnmade } from './steps.ts'

/** A recorded step that was left out: the agent continued with a later step, which lacks the result of the skipped one. */
export interface SkippedStep {
  readonly step: number
  /** The step that the agent continued with. */
  readonly next: number
  /** How that step differs. The skipped step's result was at each of these places. */
  readonly differences: readonly FieldDifference[]
  /** The step whose result is there instead. */
  readonly instead?: number
}

/** The step that a divergence skips: the call is a later recorded one that lacks only that step's result. Undefined if no step was skipped. */
export function skippedStep(run: ReportedRun, divergence: Divergence): SkippedStep | undefined {
  const { trace, divergences } = run
  const { steps } = trace
  const { cause, boundary, name } = divergence
  const skipped = cause === 'unexpected-call' ? nextUnmade(run, divergence.step) : steps.find(({ step }) => step === divergence.step)
  const results = skipped === undefined ? [] : resultTexts(skipped)
  if (skipped === undefined || results.length === 0 || boundary === undefined || name === undefined) return undefined
  const { step: number } = skipped
  const later = steps.filter((step) => step.step > number)
  const candidates =
    cause === 'missing-call'
      ? divergences.filter((other) => other.cause === 'input' && other.step > number)
      : later
          .filter((step) => step.boundary === boundary && step.name === name)
          .map(({ step, input }) => ({ step, differences: compareInputs(boundary, name, input, divergence.received) }))
  const next = candidates.find(({ differences }) => differences.length > 0 && differences.every((each) => lackedResult(each, results)))
  if (next === undefined) return undefined
  const given = next.differences.map(({ received }) => ({ path: '', expected: received, received: '' }))
  const instead = steps.findLast((step) => step.step < number && given.every((each) => lackedResult(each, resultTexts(step))))
  return { step: number, next: next.step, differences: next.differences, ...(instead && { instead: instead.step }) }
}

/** Describes a skipped step in a sentence. */
export function tellSkipped({ step, next, differences, instead }: SkippedStep): string {
  const place = differences[0]?.path ?? ''
  const has =
    instead === undefined ? `lacks the result of step ${step}` : `has the result of step ${instead} instead of that of step ${step}`
  return `step ${step} was skipped; the agent went on with step ${next}, whose ${place} ${has}.`
}
