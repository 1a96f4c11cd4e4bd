import type { Step } from '../../trace/trace.ts'
import { describeCall, describeError } from '../describe-call.ts'
import type { Divergence, NearCall } from '../divergence.ts'
import { cutText, printValue } from '../print-value.ts'
import { isFields } from '../same-value.ts'
import { differenceLines } from './difference-lines.ts'
import { isNever } from './cause-words.ts'
import { labelled, labelWidth, type Layout } from './layout.ts'
import type { ReportedRun } from './reported-run.ts'

const indent = 4

/** What was expected and what was received at a divergence, and where in the agent's code. */
export function bodyLines(run: ReportedRun, divergence: Divergence, layout: Layout): string[] {
  const { site } = divergence
  const place = site === undefined ? [] : [labelled('at', `${site.file}:${site.line}:${site.column}`, indent)]
  return [...causeLines(run, divergence, layout), ...place]
}

function causeLines(run: ReportedRun, divergence: Divergence, layout: Layout): string[] {
  const { differences, expected, received, nearest } = divergence
  const { colors } = layout
  const room = layout.width - indent - labelWidth
  const lines = (expectedText: string, receivedText: string): string[] => [
    labelled('expected', colors.green(cutText(expectedText, room)), indent),
    labelled('received', colors.red(cutText(receivedText, room)), indent),
  ]
  const steps = run.trace.steps
  switch (divergence.cause) {
    case 'unexpected-call': {
      const next = nextUnmade(run, divergence.step)
      const near = nearest.map((call, index) => nearLine(call, call.name === divergence.name, index === 0, steps, layout))
      return [...lines(next === undefined ? 'no further call' : numbered(next), callOf(divergence, received)), ...near]
    }
    case 'missing-call': {
      const step = stepNumbered(steps, divergence.step)
      return lines(step === undefined ? callOf(divergence, expected) : describeStep(step), 'no such call')
    }
    case 'order':
      return orderLines(steps, divergence, lines)
    case 'unrecorded-contact':
      return [labelled('received', colors.red(cutText(divergence.name ?? '', room)), indent)]
    case 'outcome':
      if (kindOf(expected) !== kindOf(received)) return lines(describeOutcome(expected), describeOutcome(received))
      return differenceLines(differences, layout)
    default:
      if (differences.length > 0) return differenceLines(differences, layout)
      return lines(printWhole(expected), printWhole(received))
  }
}

function orderLines(
  steps: readonly Step[],
  { step, before }: Divergence,
  lines: (expected: string, received: string) => string[],
): string[] {
  const late = stepNumbered(steps, step)
  const other = before === undefined ? undefined : stepNumbered(steps, before)
  if (late === undefined || other === undefined) return lines(`step ${step} in its place`, `step ${step} later`)
  const [first, second] = late.step < other.step ? [late, other] : [other, late]
  return lines(`${numbered(first)}, before ${numbered(second)}`, `step ${second.step} before step ${first.step} was through`)
}

/** The first recorded step behind one that this replay did not make. */
function nextUnmade({ trace, steps, divergences }: ReportedRun, after: number): Step | undefined {
  const made = new Set(steps.map(({ step }) => step))
  const isExtra = (number: number): boolean => divergences.some(({ cause, step }) => cause === 'missing-call' && step === number)
  return trace.steps.find(({ step }) => step > after && (!made.has(step) || isExtra(step)))
}

function nearLine(near: NearCall, isNamesake: boolean, isFirst: boolean, steps: readonly Step[], { width }: Layout): string {
  const { step, name, differences } = near
  const paths = differences.map(({ path }) => path)
  const same = isNamesake ? 'the same call' : 'another name, the same input'
  const differ = paths.length === 0 ? same : `differs in ${paths.slice(0, 3).join(', ')}${paths.length > 3 ? ' …' : ''}`
  const suffix = ` (${cutText(differ, Math.floor(width / 3))})`
  const recorded = stepNumbered(steps, step)
  const call = recorded === undefined ? name : describeStep(recorded)
  const text = `step ${step}, ${cutText(call, width - indent - labelWidth - suffix.length - `step ${step}, `.length)}${suffix}`
  return labelled(isFirst ? 'nearest' : '', text, indent)
}

function stepNumbered(steps: readonly Step[], number: number): Step | undefined {
  return steps.find(({ step }) => step === number)
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

function printWhole(value: unknown): string {
  return value === undefined ? 'nothing' : printValue(value)
}

/** An outcome is `{ output }`, `{ error }`, or, of a run that waits for ever, `{ never, waitsFor? }`. */
function kindOf(outcome: unknown): string {
  return (isFields(outcome) ? Object.keys(outcome)[0] : undefined) ?? 'output'
}

function describeOutcome(outcome: unknown): string {
  if (!isFields(outcome)) return 'no end'
  const { output, error } = outcome
  if (isFields(error)) return `threw ${describeError({ name: String(error['name']), message: String(error['message']) })}`
  return isNever(outcome) ? describeNever(outcome) : `returned ${printWhole(output)}`
}

function describeNever({ waitsFor }: Readonly<Record<string, unknown>>): string {
  return Array.isArray(waitsFor) ? `no end: it waits for ${waitsFor.join(', ')}` : 'no end'
}
