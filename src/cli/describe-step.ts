import { describeCall, describeResult } from '../divergence/describe-call.ts'
import { printValue } from '../divergence/print-value.ts'
import type { RecordedError } from '../trace/rows.ts'
import type { Step } from '../trace/trace.ts'
import { printable } from '../trace/printable.ts'

/** The maximum length of a value on one line, regardless of the terminal's width. */
const LONGEST = 2000

/** Formats the call of a step on one line: `get_order({"id":"ord_1"})`, and the number of the attempt, unless it is the first. */
export function callText({ boundary, name, input, attempt }: Step): string {
  return printable(`${describeCall(boundary, name, input, LONGEST)}${attempt === undefined ? '' : `, attempt ${attempt}`}`)
}

/** Formats the result of a step on one line: `{"status":"packed"}`, `throws TypeError: fetch failed, caused by …`, `in flight`. */
export function resultText(step: Step): string {
  return step.error === undefined ? printable(describeResult(step, LONGEST)) : `throws ${errorText(step.error)}`
}

/** Formats an error with its cause on one line. */
export function errorText({ name, message, code, status, cause, ...rest }: RecordedError): string {
  if ('value' in rest) return valueText(rest.value)
  const marks = [code, status].filter((mark) => mark !== undefined && !message.includes(String(mark)))
  const marked = marks.length === 0 ? '' : ` (${marks.join(', ')})`
  return `${printable(`${name}: ${message}${marked}`)}${cause === undefined ? '' : `, caused by ${errorText(cause)}`}`
}

/** Formats a value on one line. */
export function valueText(value: unknown): string {
  return value === undefined ? 'nothing' : printable(printValue(value, LONGEST))
}
