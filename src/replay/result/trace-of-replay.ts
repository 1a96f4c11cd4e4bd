import { usageOfSteps } from '../../models/usage.ts'
import { createRunId } from '../../record/run-id.ts'
import { assembleTrace } from '../../trace/assemble.ts'
import type { EndRow, Row, Settled } from '../../trace/rows.ts'
import type { ForkedFrom, RunRow } from '../../trace/run-row.ts'
import type { Step, Trace } from '../../trace/trace.ts'
import { omitUndefined } from '../../trace/json.ts'
import { fromRecorded } from '../../trace/values.ts'
import { listsStandIns, withStandIns } from '../../redaction/stand-in-rows.ts'
import { digest } from '../traces/digest.ts'
import type { ReplayingRun } from '../replaying-run.ts'

/** A replay as a trace, with the recorded header, because it ran on the recorded clock. A stopped replay has no end. */
export function traceOfReplay(trace: Trace, run: ReplayingRun, steps: readonly Step[], settled: Settled | undefined): Trace {
  const { golden: _, ...recorded } = trace.header
  const header: RunRow = {
    ...recorded,
    // The calls have the headers that the trace lists. What a run left behind stands after its end since format 2.
    format: Math.max(2, recorded.format),
    ...(!listsStandIns(trace.header) && { redaction: { ...recorded.redaction, shaped: true } }),
    id: createRunId(new Date().toISOString()),
    replay: { ran: toolsThatRan(run) },
    ...(run.settings.given && { input: run.redaction.toRead(run.settings.given.input) }),
    ...(recorded.forkedFrom && { forkedFrom: { ...recorded.forkedFrom, ...editOf(recorded.forkedFrom, run), ...routesOf(steps, run) } }),
  }
  const made = new Map(steps.map((step) => [step.step, step]))
  const rows = run.log.rows({
    numberOf: (call) => run.calls.numberOf(call),
    ownerOf: (number) => run.calls.stepOf(number),
    requestOf: (call) => {
      const { input, credentials, client } = made.get(run.calls.numberOf(call)) ?? {}
      return { input, ...omitUndefined({ credentials, client }) }
    },
    agentInputOf: ({ agentInput, planned, changed }) =>
      agentInput === undefined ? (changed ? undefined : planned?.call.agentInput) : fromRecorded(agentInput.value as never),
    endAt: (at) => endOf(settled ?? { output: undefined }, run, { at, usage: usageOfSteps(steps) }),
  })
  const isWhole = settled !== undefined && run.findings.stop === undefined
  const { until, isWatched, closed: recordedClose } = run.plan
  const { by, overdue } = recordedClose ?? {}
  const told = isWhole ? rows : rows.filter(({ kind }) => kind !== 'end')
  const closed: Row[] = isWhole && isWatched ? [{ kind: 'closed', until, ...omitUndefined({ by, overdue }) }] : []
  // A session may have been opened in this run or before it.
  const preambles = trace.rows.filter(({ kind }) => kind === 'preamble')
  const redacted = told.map((row) => redactRow(row, run))
  return assembleTrace(withStandIns([header, ...preambles, ...redacted, ...closed], run.redaction.standIns), digest)
}

/** The recorded tools whose functions ran, or would have run. */
function toolsThatRan({ plan, calls }: ReplayingRun): string[] {
  const planned = [...plan.bodies].flatMap((step) => plan.steps.get(step)?.call.name ?? [])
  const beyond = calls.all.flatMap(({ route, runs, name }) => (route !== undefined && runs ? [name] : []))
  return [...new Set([...planned, ...beyond])].toSorted()
}

/** In a fork: the edit, redacted. */
function editOf({ edit }: ForkedFrom, { redaction }: ReplayingRun): Partial<ForkedFrom> {
  return edit === undefined ? {} : { edit: redaction.toRead(edit) as Readonly<Record<string, unknown>> }
}

/** In a fork: the route of each call. The replay of a fork keeps the recorded routes. */
function routesOf(steps: readonly Step[], { findings }: ReplayingRun): Partial<ForkedFrom> {
  const routed = steps.flatMap(({ step, route }) => (route === undefined ? [] : [[String(step), route] as const]))
  if (routed.length === 0) return {}
  return { ...(findings.departedAt !== undefined && { step: findings.departedAt }), routes: Object.fromEntries(routed) }
}

function endOf(settled: Settled, { redaction, plan, log }: ReplayingRun, times: Pick<EndRow, 'at' | 'usage'>): EndRow {
  const rest = { ...times, ...omitUndefined({ overdue: plan.end?.overdue, given: log.given }) }
  if ('error' in settled) return { kind: 'end', error: redaction.toError(settled.error), ...rest }
  return { kind: 'end', ...(settled.output === undefined ? {} : { output: redaction.toRead(settled.output) }), ...rest }
}

/** Redacts the results of functions that ran in the replay. */
function redactRow(row: Row, { redaction }: ReplayingRun): Row {
  if (row.kind === 'return' && row.output !== undefined) return { ...row, output: redaction.toReadOutput(row.output) }
  return row.kind === 'throw' ? { ...row, error: redaction.redactError(row.error) } : row
}
