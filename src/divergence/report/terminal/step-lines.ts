import { describeCall, describeResult } from '../../describe-call.ts'
import { cutText } from '../../print-value.ts'
import { printable } from '../../../trace/printable.ts'
import type { Step } from '../../../trace/trace.ts'
import type { ReportedStep } from '../report.ts'
import type { Layout } from './layout.ts'

/** Steps, one line each. The diverging step is marked. */
export function stepLines(steps: readonly ReportedStep[], layout: Layout): string[] {
  const digits = Math.max(3, ...steps.map(({ step }) => String(step?.step ?? '').length))
  return steps.map((line) => stepLine(line, digits, layout))
}

function stepLine({ isMarked, step, instead }: ReportedStep, digits: number, { colors, width }: Layout): string {
  const room = width - digits - 'mk  '.length
  const number = String(step?.step ?? '').padStart(digits)
  const text = step === undefined ? `${(instead?.what ?? '').padEnd(8)}  ${printable(instead?.call ?? '')}` : recorded(step, room)
  return isMarked ? colors.bold(`> ${number}  ${cutText(text.trimEnd(), room)}`) : colors.dim(`  ${number}  ${text}`)
}

function recorded(step: Step, width: number): string {
  const room = width - 'external  '.length
  const result = printable(describeResult(step, room))
  const left = Math.max(Math.floor(room * 0.6), room - result.length - ' → '.length)
  const call = cutText(printable(describeCall(step.boundary, step.name, step.input, left)), left)
  return `${step.boundary.padEnd(8)}  ${cutText(`${call} → ${result}`, room)}`
}
