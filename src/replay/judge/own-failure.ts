import type { Trail } from '../../run/call-site.ts'
import type { EndRow } from '../../trace/rows.ts'
import { comparableOutcome, recordedOutcome, type RunOutcome } from './comparable-outcome.ts'
import type { ReplayRedaction } from '../calls/replay-redaction.ts'

/** The error that the agent threw and the recorded run did not, and where: the reason for missing calls. */
export function ownFailure(
  outcome: RunOutcome | undefined,
  end: EndRow | undefined,
  redaction: ReplayRedaction,
): { readonly received?: unknown; readonly site?: Trail } {
  if (outcome === undefined || !('error' in outcome)) return {}
  const received = comparableOutcome(outcome, redaction)
  if (JSON.stringify(received) === JSON.stringify(recordedOutcome(end))) return {}
  const { error } = outcome
  return { received, ...(error instanceof Error && error.stack !== undefined && { site: { stack: error.stack } }) }
}
