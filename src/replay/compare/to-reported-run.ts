import type { ReportedRun } from '../../divergence/report/reported-run.ts'
import type { Comparison } from './compare-runs.ts'

/** A comparison as a reported run: `b` takes the place of the replay, with step numbers and owners of `a`. */
export function toReportedRun({ a, b, divergences, steps }: Comparison): ReportedRun {
  return {
    trace: a,
    outcome: { status: b.end === undefined ? 'stopped' : b.end.error === undefined ? 'returned' : 'threw' },
    divergences,
    steps: steps.flatMap((pair) =>
      pair.b === undefined || pair.a === undefined ? [] : [{ ...pair.b, step: pair.a.step, owner: pair.a.owner }],
    ),
    other: b.header.golden?.name ?? b.header.id,
  }
}
