import type { EndRow, RecordedError } from '../../trace/rows.ts'
import { toRecorded } from '../../trace/values.ts'
import type { ReplayRedaction } from '../calls/replay-redaction.ts'

/** How a run settled. */
export type RunOutcome = { readonly output: unknown } | { readonly error: unknown }

/** How a recorded run ended, as it is compared; undefined where it did not. */
export function recordedOutcome(end: EndRow | undefined): unknown {
  if (end === undefined) return undefined
  return end.error === undefined ? { output: toRecorded(end.output) } : { error: comparableError(end.error) }
}

/** Whether a replay returned just what was recorded: then there is nothing to redact in it, and nothing to compare by rules. */
export function isAsRecorded(outcome: RunOutcome, { error, output }: EndRow): boolean {
  if ('error' in outcome || error !== undefined) return false
  return JSON.stringify(toRecorded(outcome.output)) === JSON.stringify(toRecorded(output))
}

/** How a replay ended, as it is compared. */
export function comparableOutcome(outcome: RunOutcome, redaction: Pick<ReplayRedaction, 'toError' | 'toRecorded'>): unknown {
  return 'error' in outcome
    ? { error: comparableError(redaction.toError(outcome.error)) }
    : { output: redaction.toRecorded(outcome.output) }
}

/** What is compared of an error: never its stack. */
function comparableError({ name, message, code, status }: RecordedError): object {
  return { name, message, ...(code === undefined ? {} : { code }), ...(status === undefined ? {} : { status }) }
}
