import { renderReport } from '../divergence/report.ts'
import { nameOf } from '../divergence/report/reported-run.ts'
import type { ReplayedRun } from '../replay/replayed-run.ts'
import { judge } from './holds.ts'
import type { Matcher } from './matcher.ts'

/** The trace holds. */
export const toReplayWithoutDivergence: Matcher<[]> = ({ color, width }, run) => {
  const verdict = judge(run)
  return {
    pass: verdict.holds,
    message: () => {
      if (verdict.holds) return holdsMessage(run)
      return renderReport(run, { color, width, ...('incident' in verdict && { incident: verdict.incident }) })
    },
  }
}

function holdsMessage(run: ReplayedRun): string {
  if (run.trace.header.golden?.expect.replay === 'departs') {
    return `Expected the golden of the incident "${nameOf(run)}" not to hold, but the agent departs from what went wrong.`
  }
  return `Expected "${nameOf(run)}" to diverge, but the replay did what was recorded, in all ${run.steps.length} steps.`
}
