import { usageOfSteps } from '../models/usage.ts'
import { createRunId } from '../record/run-id.ts'
import { assembleTrace } from '../trace/assemble.ts'
import { toRecordedError } from '../trace/recorded-error.ts'
import type { EndRow } from '../trace/rows.ts'
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
  const header: RunRow = { ...recorded, id: createRunId(new Date()) }
  const inputs = new Map(steps.map(({ step, input }) => [step, input]))
  const rows = run.log.rows({
    numberOf: (call) => run.calls.numberOf(call),
    ownerOf: (number) => run.calls.stepOf(number),
    inputOf: (call) => inputs.get(run.calls.numberOf(call)),
  })
  const isWhole = settled !== undefined && run.findings.stop === undefined
  return assembleTrace([header, ...rows, ...(isWhole ? [endOf(settled, run.conductor.now, steps)] : [])], digest)
}

function endOf(settled: { readonly output: unknown } | { readonly error: unknown }, at: number, steps: readonly Step[]): EndRow {
  const usage = usageOfSteps(steps)
  if ('error' in settled) return { kind: 'end', error: toRecordedError(settled.error), at, usage }
  return { kind: 'end', ...(settled.output === undefined ? {} : { output: settled.output }), at, usage }
}
