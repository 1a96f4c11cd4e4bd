import { toRecordedError } from '../trace/recorded-error.ts'
import type { EndRow, RecordedError } from '../trace/rows.ts'
import { toRecorded } from '../trace/values.ts'

/** How a recorded run ended, as it is compared; undefined where it did not. */
export function recordedOutcome(end: EndRow | undefined): unknown {
  if (end === undefined) return undefined
  return end.error === undefined ? { output: toRecorded(end.output) } : { error: comparableError(end.error) }
}

/** How a replay ended, as it is compared. */
export function comparableOutcome(outcome: { readonly output: unknown } | { readonly error: unknown }): unknown {
  return 'error' in outcome ? { error: comparableError(toRecordedError(outcome.error)) } : { output: toRecorded(outcome.output) }
}

/** What is compared of an error: never its stack. */
function comparableError({ name, message, code, status }: RecordedError): object {
  return { name, message, ...(code === undefined ? {} : { code }), ...(status === undefined ? {} : { status }) }
}
