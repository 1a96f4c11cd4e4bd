import type { EndRow, RecordedError } from '../../trace/rows.ts'
import { toRecorded } from '../../trace/values.ts'
import type { ReplayRedaction } from '../calls/replay-redaction.ts'

/** How a run settled. */
export type RunOutcome = { readonly output: unknown } | { readonly error: unknown }

/** The outcome of a recorded run in compared form; undefined if it did not end. */
export function recordedOutcome(end: EndRow | undefined): unknown {
  if (end === undefined) return undefined
  return end.error === undefined ? { output: toRecorded(end.output) } : { error: comparableError(end.error) }
}

/** Whether a replay returned exactly what was recorded, so that nothing has to be redacted or compared by rules. */
export function isAsRecorded(outcome: RunOutcome, { error, output }: EndRow): boolean {
  if ('error' in outcome || error !== undefined) return false
  return JSON.stringify(toRecorded(outcome.output)) === JSON.stringify(toRecorded(output))
}

/** The outcome of a replay in compared form. */
export function comparableOutcome(outcome: RunOutcome, redaction: Pick<ReplayRedaction, 'toError' | 'toRecorded'>): unknown {
  return 'error' in outcome
    ? { error: comparableError(redaction.toError(outcome.error)) }
    : { output: redaction.toRecorded(outcome.output) }
}

/** The compared fields of an error, without its stack. */
function comparableError({ name, message, code, status }: RecordedError): object {
  return { name, message, ...(code === undefined ? {} : { code }), ...(status === undefined ? {} : { status }) }
}
