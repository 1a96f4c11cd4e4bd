import type { RecorderOptions } from '../../record/recorder-options.ts'
import { createRuleSet, publicValuesOf } from '../../redaction/rule-set.ts'
import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'
import { omitUndefined } from '../../trace/json.ts'
import type { RunRow } from '../../trace/run-row.ts'
import type { Trace } from '../../trace/trace.ts'
import { copyValue } from '../../trace/values.ts'
import { refuseIncomplete } from './promotion/refusals.ts'
import { toGolden } from './promotion/to-golden.ts'
import { describeFailure, recordLive, type RecordLiveOptions } from './record-live.ts'

/** The options for recording a golden again. */
export interface RecordAgainOptions extends RecordLiveOptions {
  /** ISO 8601. Default: now. */
  readonly promotedAt?: string
  /** The agent's input. Default: the golden's input. */
  readonly input?: unknown
}

/**
 * Runs an agent live with the input of a golden, and creates a golden from that run, with the same name and expectation.
 *
 * @returns The new golden's text. It is not written.
 * @throws GoldenrunError `GOLDENRUN_RECORD_INCIDENT` for an incident golden, `GOLDENRUN_RECORD_FAILED` if the run fails and the recorded one
 * did not, `GOLDENRUN_PROMOTE_…` if it lacks what a replay needs.
 */
export async function recordAgain(
  { header, end }: Trace,
  agent: (input: never, context: unknown) => unknown,
  { promotedAt = new Date().toISOString(), input = header.input, ...options }: RecordAgainOptions = {},
): Promise<string> {
  checkRecordable(header, options.redact)
  const { golden } = header
  const name = golden?.name ?? header.id
  const { agent: agentName, agentVersion, tags } = header
  const about = { agent: agentName, ...omitUndefined({ agentVersion, tags }), input: copyValue(input) }
  // What promotion kept of the agent's code is public.
  const keep = [...(options.redact?.keep ?? []), ...publicValuesOf(header.redaction)]
  const redact = { ...options.redact, keep: [...new Map(keep.map((value) => [String(value), value])).values()] }
  const recorded = await recordLive(about, agent, { ...omitUndefined({ files: header.files }), ...options, redact })
  if ('error' in recorded && end?.error === undefined) throw failed(name, recorded.error)
  refuseIncomplete(recorded.trace, {})
  return toGolden(recorded.trace, { ...golden, name, promotedAt }).text
}

/** @throws GoldenrunError `GOLDENRUN_RECORD_INCIDENT`, `GOLDENRUN_RECORD_REDACTION` if a golden cannot be recorded again. */
export function checkRecordable(header: RunRow, redact: RecorderOptions['redact']): void {
  const { golden } = header
  const name = golden?.name ?? header.id
  if (golden?.expect.replay === 'departs') {
    throw new GoldenrunError(
      'GOLDENRUN_RECORD_INCIDENT',
      `"${name}" is the golden of an incident: a successful run would replace it. Promote another recording of the incident instead (--incident --force), or delete it.`,
    )
  }
  const missing = rulesWithout(header.redaction.rules, redact)
  if (missing.length > 0) {
    throw new GoldenrunError(
      'GOLDENRUN_RECORD_REDACTION',
      `"${name}" was redacted by rules that are not configured now: ${missing.join(', ')}. Its new recording would keep what they redact. Name them under redact in goldenrun.config.ts.`,
    )
  }
}

function rulesWithout(recorded: readonly string[], redact: RecorderOptions['redact']): string[] {
  const { rules } = createRuleSet(redact).record
  return recorded.filter((rule) => !rules.includes(rule))
}

function failed(name: string, cause: unknown): GoldenrunError {
  const problem = `The live run of "${name}" failed, so its golden is unchanged: ${describeFailure(cause)}`
  return new GoldenrunError('GOLDENRUN_RECORD_FAILED', problem, { cause })
}
