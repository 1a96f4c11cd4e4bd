import type { Line } from './lines.ts'
import type { ViewedRun } from './viewed-run.ts'

/** Where a page opens: at its first divergence, at the call of an incident, at a side effect that is repeated; else at what happens first. */
export function startOf(lines: readonly Line[], { trace }: ViewedRun): string {
  const expect = trace.header.golden?.expect
  const at = expect?.replay === 'departs' ? expect.at : undefined
  const found =
    lines.find(({ isFirst }) => isFirst) ??
    lines.find(({ left }) => left?.kind === 'step' && (left.step.step.step === at || (at === undefined && left.step.repeats !== undefined)))
  return (found ?? lines[0])?.key ?? ''
}
