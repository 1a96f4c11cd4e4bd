import type { Step } from '../../trace/trace.ts'
import { describeCall } from '../describe-call.ts'
import type { Divergence } from '../divergence.ts'
import type { ReportedStep } from './report.ts'
import type { ReportedRun } from './reported-run.ts'

/** How many steps before the divergence are shown. */
const before = 4

/** The recorded steps up to a divergence, and the diverging step, marked. */
export function stepsUpTo({ trace: { steps } }: ReportedRun, divergence: Divergence): ReportedStep[] {
  const { step, position } = divergence
  const previous = steps.filter((candidate) => (position === 'at' ? candidate.step < step : candidate.step <= step)).slice(-before)
  const at = position === 'at' ? stepNumbered(steps, step) : undefined
  const marked: ReportedStep = at === undefined ? { isMarked: true, instead: insteadOf(divergence) } : toReported(at, true)
  return [...previous.map((each) => toReported(each, false)), marked]
}

/** A recorded step and the steps before it. */
export function stepsBefore({ trace: { steps } }: ReportedRun, at: number): ReportedStep[] {
  const shown = steps.filter(({ step }) => step <= at).slice(-before - 1)
  return shown.map((step) => toReported(step, step.step === at))
}

/**
 * The first later recorded step that this run did not make; for two compared runs, the next step of the first run. Ignores the nested steps
 * of a tool whose function did not run.
 */
export function nextUnmade({ trace, steps, divergences, other }: ReportedRun, after: number): Step | undefined {
  const made = new Set(steps.map(({ step }) => step))
  const ran = new Set(steps.map(({ owner }) => owner))
  const isExtra = (number: number): boolean => divergences.some(({ cause, step }) => cause === 'missing-call' && step === number)
  const isDue = (number: number): boolean => number > after && (other !== undefined || !made.has(number) || isExtra(number))
  return trace.steps.find(({ step, owner }) => isDue(step) && (owner === 0 || !made.has(owner) || ran.has(owner)))
}

/** The step with this number. */
export function stepNumbered(steps: readonly Step[], number: number): Step | undefined {
  return steps.find(({ step }) => step === number)
}

function toReported(step: Step, isMarked: boolean): ReportedStep {
  return { isMarked, step }
}

function insteadOf({ cause, boundary, name = '', received, expected }: Divergence): { readonly what: string; readonly call: string } {
  if (cause === 'outcome') return { what: 'end', call: '' }
  if (boundary === undefined) return { what: cause === 'checkpoint' ? cause : 'contact', call: name }
  return { what: boundary, call: describeCall(boundary, name, received ?? expected) }
}
