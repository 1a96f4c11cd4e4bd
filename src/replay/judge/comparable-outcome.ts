import { gatherStandIns } from '../../divergence/gathered-stand-ins.ts'
import type { KnownStandIns } from '../../divergence/stand-ins.ts'
import { omitUndefined } from '../../trace/json.ts'
import type { EndRow, RecordedError, Settled } from '../../trace/rows.ts'
import { toRecorded } from '../../trace/values.ts'
import type { Divergence } from '../../divergence/divergence.ts'
import type { Plan } from '../calls/plan.ts'
import type { ReplayRedaction } from '../calls/replay-redaction.ts'
import { makeDivergence } from './finding.ts'
import { RefusedError } from './refused-error.ts'
import type { Trail } from '../../run/call-site.ts'

/** The outcome of a recorded run in compared form; undefined if it did not end. */
export function recordedOutcome(end: EndRow | undefined, standIns: KnownStandIns): unknown {
  if (end === undefined) return undefined
  return end.error === undefined ? { output: gatherStandIns(toRecorded(end.output), standIns) } : { error: comparableError(end.error) }
}

/** The outcome of a run that does not end. @param step The last step before. @param received What it waits for. Default: that it ends. */
export function noEnd(
  { end }: Pick<Plan, 'end'>,
  { standIns }: Pick<ReplayRedaction, 'standIns'>,
  step: number,
  received: unknown = { never: 'settled' },
): Divergence {
  return makeDivergence('outcome', { step, position: 'after', expected: recordedOutcome(end, standIns), received })
}

/** Whether a replay returned exactly what was recorded, so that nothing has to be redacted or compared by rules. */
export function isAsRecorded(outcome: Settled, { error, output }: EndRow): boolean {
  if ('error' in outcome || error !== undefined) return false
  return JSON.stringify(toRecorded(outcome.output)) === JSON.stringify(toRecorded(output))
}

/** The outcome of a replay in compared form. */
export function comparableOutcome(outcome: Settled, redaction: Pick<ReplayRedaction, 'toError' | 'toRecorded' | 'standIns'>): unknown {
  return 'error' in outcome
    ? { error: comparableError(redaction.toError(outcome.error)) }
    : { output: gatherStandIns(redaction.toRecorded(outcome.output), redaction.standIns) }
}

/** The compared fields of an error, without its stack. */
export function comparableError({ name, message, code, status }: RecordedError): object {
  return omitUndefined({ name, message, code, status })
}

/** The error that only the replayed agent threw, and where: how it ended, and the reason for missing calls. */
export function ownFailure(
  outcome: Settled | undefined,
  end: EndRow | undefined,
  redaction: ReplayRedaction,
): { readonly received?: unknown; readonly site?: Trail } {
  if (outcome === undefined || !('error' in outcome)) return {}
  const received = comparableOutcome(outcome, redaction)
  if (JSON.stringify(received) === JSON.stringify(recordedOutcome(end, redaction.standIns))) return {}
  const { error } = outcome
  // A refusal was not thrown by the agent.
  if (!(error instanceof Error) || error.stack === undefined || Reflect.get(error, 'code') === RefusedError.code) return { received }
  return { received, site: { stack: framesOf(error, error.stack) } }
}

/** A stack without its first lines, the error's name and message: they come from the trace, and a line of them may look like one of the stack. */
function framesOf({ name, message }: Error, stack: string): string {
  const header = message === '' ? name : message
  const at = stack.indexOf(header)
  return at === -1 ? stack : stack.slice(at + header.length)
}
