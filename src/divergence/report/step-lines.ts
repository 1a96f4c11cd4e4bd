import type { Step } from '../../trace/trace.ts'
import { describeCall, describeResult } from '../describe-call.ts'
import type { Divergence } from '../divergence.ts'
import { cutText } from '../print-value.ts'
import type { Layout } from './layout.ts'
import type { ReportedRun } from './reported-run.ts'

/** How many steps before the one in question are shown. */
const before = 4

/** The recorded steps up to a divergence, one line each, and a line for what diverged, marked. */
export function stepsUpTo({ trace: { steps } }: ReportedRun, divergence: Divergence, layout: Layout): string[] {
  const { step, position } = divergence
  const previous = steps.filter((candidate) => (position === 'at' ? candidate.step < step : candidate.step <= step)).slice(-before)
  const at = position === 'at' ? steps.find((candidate) => candidate.step === step) : undefined
  const digits = Math.max(3, String(step).length)
  const marked = at === undefined ? markedLine('', whatOf(divergence), digits, layout) : recordedLine(at, digits, layout, true)
  return [...previous.map((each) => recordedLine(each, digits, layout, false)), marked]
}

/** A recorded step and those before it. */
export function stepsBefore({ trace: { steps } }: ReportedRun, at: number, layout: Layout): string[] {
  const shown = steps.filter(({ step }) => step <= at).slice(-before - 1)
  const digits = Math.max(3, String(at).length)
  return shown.map((step) => recordedLine(step, digits, layout, step.step === at))
}

function recordedLine(step: Step, digits: number, layout: Layout, isMarked: boolean): string {
  const room = layout.width - digits - 'mk  external  '.length
  const result = describeResult(step, room)
  const call = describeCall(step.boundary, step.name, step.input, Math.max(Math.floor(room * 0.6), room - result.length - ' → '.length))
  const text = `${step.boundary.padEnd(8)}  ${cutText(`${call} → ${result}`, room)}`
  return isMarked
    ? markedLine(String(step.step), text, digits, layout)
    : layout.colors.dim(`  ${String(step.step).padStart(digits)}  ${text}`)
}

function markedLine(number: string, text: string, digits: number, { colors, width }: Layout): string {
  return colors.bold(`> ${number.padStart(digits)}  ${cutText(text, width - digits - 'mk  '.length)}`)
}

function whatOf({ cause, boundary, name = '', received, expected }: Divergence): string {
  if (cause === 'outcome') return 'end'
  if (boundary === undefined) return `${(cause === 'checkpoint' ? cause : 'contact').padEnd(8)}  ${name}`
  return `${boundary.padEnd(8)}  ${describeCall(boundary, name, received ?? expected)}`
}
