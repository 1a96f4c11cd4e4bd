import type { Step } from '../../trace/trace.ts'
import { describeCall, describeError } from '../describe-call.ts'
import type { Divergence, NearCall } from '../divergence.ts'
import { printField } from '../print-value.ts'
import { isFields } from '../same-value.ts'
import { endsAfter, followed, goesOn, isAfterWatch, isGivenUp, isLeft, isNever, milliseconds } from './cause-words.ts'
import type { Fact, NearestCall } from './report.ts'
import type { ReportedRun } from './reported-run.ts'
import { skippedStep } from './skipped-step.ts'
import { nextUnmade, stepNumbered } from './steps.ts'

/** What was expected and what was received at a divergence, and where in the agent's code. */
export function factsOf(run: ReportedRun, divergence: Divergence): Fact[] {
  const { site } = divergence
  return [...causeFacts(run, divergence), ...(site === undefined ? [] : [{ kind: 'site', site } as const])]
}

function causeFacts(run: ReportedRun, divergence: Divergence): Fact[] {
  const { differences, expected, received, nearest } = divergence
  const { steps } = run.trace
  switch (divergence.cause) {
    case 'unexpected-call': {
      const next = isMadeLater(run, divergence) ? nextOf(steps, divergence.step) : nextUnmade(run, divergence.step)
      const calls = nearest.map((near) => toNearest(near, near.name === divergence.name, steps))
      const near: Fact[] = calls.length === 0 ? [] : [{ kind: 'nearest', calls }]
      return [lines(next === undefined ? 'no further call' : numbered(next), callOf(divergence, received)), ...near]
    }
    case 'missing-call': {
      const step = stepNumbered(steps, divergence.step)
      return [lines(step === undefined ? callOf(divergence, expected) : describeStep(step), noSuchCall(divergence, steps))]
    }
    case 'order':
      return [orderOf(steps, divergence)]
    case 'unrecorded-contact':
      return [{ kind: 'lines', received: divergence.name ?? '' }]
    case 'time-limit':
      if (isGivenUp(expected))
        return [
          lines(
            `given up after ${milliseconds(expected, 'gaveUp')}`,
            goesOn(received) ? 'never given up' : 'still waiting for an answer that was never recorded',
          ),
        ]
      return [lines(`answered after ${milliseconds(expected, 'took')}`, `given up after ${milliseconds(received, 'after')}`)]
    case 'outcome':
      if (kindOf(expected) !== kindOf(received) || isLeft(received)) return [lines(describeOutcome(expected), describeOutcome(received))]
      return [{ kind: 'fields', differences }]
    default: {
      const skipped = divergence.cause === 'input' ? skippedStep(run, divergence) : undefined
      const fields = skipped?.differences ?? differences
      return [fields.length > 0 ? { kind: 'fields', differences: fields } : lines(printField(expected), printField(received))]
    }
  }
}

/** Whether the agent made a call twice, too early and then in its place: the steps between were made. */
function isMadeLater({ steps }: ReportedRun, { step: number, nearest }: Divergence): boolean {
  return nearest.some(({ step, differences }) => differences.length === 0 && step > number && stepNumbered(steps, step) !== undefined)
}

/** The first step of the run itself after another one. */
function nextOf(steps: readonly Step[], number: number): Step | undefined {
  return steps.find(({ step, owner }) => step > number && owner === 0)
}

function lines(expected: string, received: string): Fact {
  return { kind: 'lines', expected, received }
}

function orderOf(steps: readonly Step[], { step, before, expected, received }: Divergence): Fact {
  if (followed(expected) !== undefined) return lines(`the message arrives, then step ${step}`, `step ${step} before the message arrives`)
  if (received !== undefined) {
    const sides = [`step ${step} answered, then the end`, `the end before step ${step} was answered`] as const
    return endsAfter(received) ? lines(sides[1], sides[0]) : lines(...sides)
  }
  const late = stepNumbered(steps, step)
  const other = before === undefined ? undefined : stepNumbered(steps, before)
  if (late === undefined || other === undefined) return lines(`step ${step} in its place`, `step ${step} later`)
  const [first, second] = late.step < other.step ? [late, other] : [other, late]
  return lines(`${numbered(first)}, before ${numbered(second)}`, `step ${second.step} before step ${first.step} had finished`)
}

function toNearest({ step, name, differences, agrees }: NearCall, isNamesake: boolean, steps: readonly Step[]): NearestCall {
  const paths = differences.map(({ path }) => path)
  const same = isNamesake ? 'the same call' : 'different name, same input'
  const differ = paths.length === 0 ? same : `differs in ${paths.slice(0, 3).join(', ')}${paths.length > 3 ? ' …' : ''}`
  const remark = paths.length === 0 || agrees.length === 0 ? differ : `${differ}; same ${agrees.join(', ')}`
  const recorded = stepNumbered(steps, step)
  return { step, call: recorded === undefined ? name : describeStep(recorded), remark }
}

function numbered(step: Step): string {
  return `step ${step.step}, ${describeStep(step)}`
}

function describeStep({ boundary, name, input }: Step): string {
  return describeCall(boundary, name, input)
}

function callOf({ boundary, name = '' }: Divergence, input: unknown): string {
  return boundary === undefined ? name : describeCall(boundary, name, input)
}

/** The missing call, with the call that the agent went on with, or the reason if the agent failed before it, or waits. */
function noSuchCall({ received: outcome, instead }: Divergence, steps: readonly Step[]): string {
  const next = instead === undefined ? undefined : stepNumbered(steps, instead)
  if (!isFields(outcome) || isAfterWatch(outcome))
    return next === undefined ? 'no such call' : `no such call: it went on with ${numbered(next)}`
  const waiting = tellWaiting(outcome)
  return `no such call: ${waiting ?? `it ${describeOutcome(outcome)}`}`
}

/** An outcome is `{ output }`, `{ error }`, or, for a run that never ends, `{ never, waitsFor? }`. */
function kindOf(outcome: unknown): string {
  return (isFields(outcome) ? Object.keys(outcome)[0] : undefined) ?? 'output'
}

function describeOutcome(outcome: unknown): string {
  if (!isFields(outcome)) return 'no end'
  if (isLeft(outcome)) return `left ${outcome.left}`
  if ('read' in outcome) return 'read to its end'
  const { output, error } = outcome
  if (isFields(error)) return `threw ${describeError({ name: String(error['name']), message: String(error['message']) })}`
  if (!isNever(outcome)) return `returned ${printField(output)}`
  return ['no end', tellWaiting(outcome) ?? []].flat().join(': ')
}

/** What a run that never ends is waiting for, as a sentence that starts in lower case. Undefined if the outcome does not say. */
export function tellWaiting(outcome: unknown): string | undefined {
  const { waitsFor } = isFields(outcome) ? outcome : {}
  return Array.isArray(waitsFor) ? `it is waiting for ${waitsFor.join(', ')}` : undefined
}
