import { usageOfSteps } from '../models/usage.ts'
import { createRunId } from '../record/run-id.ts'
import { assembleTrace } from '../trace/assemble.ts'
import type { EndRow, Row } from '../trace/rows.ts'
import type { RunRow } from '../trace/run-row.ts'
import type { Step, Trace } from '../trace/trace.ts'
import { digest } from './digest.ts'
import type { ReplayingRun } from './replaying-run.ts'

/** What a replay did, as a trace: under the recorded header, since it ran on the recorded clock. One that was stopped has no end. */
export function traceOfReplay(
  trace: Trace,
  run: ReplayingRun,
  steps: readonly Step[],
  settled: { readonly output: unknown } | { readonly error: unknown } | undefined,
): Trace {
  const { golden: _, ...recorded } = trace.header
  const header: RunRow = { ...recorded, id: createRunId(new Date().toISOString()) }
  const inputs = new Map(steps.map(({ step, input }) => [step, input]))
  const rows = run.log.rows({
    numberOf: (call) => run.calls.numberOf(call),
    ownerOf: (number) => run.calls.stepOf(number),
    inputOf: (call) => inputs.get(run.calls.numberOf(call)),
  })
  const isWhole = settled !== undefined && run.findings.stop === undefined
  return assembleTrace([header, ...rows.map((row) => redactRow(row, run)), ...(isWhole ? [endOf(settled, run, steps)] : [])], digest)
}

function endOf(
  settled: { readonly output: unknown } | { readonly error: unknown },
  { conductor, redaction }: ReplayingRun,
  steps: readonly Step[],
): EndRow {
  const rest = { at: conductor.now, usage: usageOfSteps(steps) }
  if ('error' in settled) return { kind: 'end', error: redaction.toError(settled.error), ...rest }
  return { kind: 'end', ...(settled.output === undefined ? {} : { output: redaction.toRead(settled.output) }), ...rest }
}

/** What a function gave that ran in the replay is as it came. */
function redactRow(row: Row, { redaction }: ReplayingRun): Row {
  if (row.kind === 'return' && row.output !== undefined) return { ...row, output: redaction.toRead(row.output) }
  return row.kind === 'throw' ? { ...row, error: redaction.redactError(row.error) } : row
}
