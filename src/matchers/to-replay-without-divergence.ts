import type { IncidentVerdict } from '../divergence/incident-verdict.ts'
import { renderReport } from '../divergence/create-report.ts'
import { evidenceOf } from '../divergence/report/incident-report.ts'
import { nameOf } from '../divergence/report/reported-run.ts'
import type { ReplayedRun } from '../replay/contract/replayed-run.ts'
import { judge } from './holds.ts'
import type { Matcher } from './matcher-types.ts'

/** The trace holds. */
export const toReplayWithoutDivergence: Matcher<[]> = ({ color, width }, run) => {
  const verdict = judge(run)
  return {
    pass: verdict.holds,
    message: () => {
      if (verdict.holds) return holdsMessage(run, verdict.incident)
      return renderReport(run, { color, width, ...('incident' in verdict && { incident: verdict.incident }) })
    },
  }
}

function holdsMessage(run: ReplayedRun, incident: IncidentVerdict | undefined): string {
  if (incident?.word === 'held')
    return `Expected the golden of the incident "${nameOf(run)}" not to hold, but it does: ${evidenceOf(run, incident)}.`
  return `Expected "${nameOf(run)}" to diverge, but the replay matched the recording in all ${run.steps.length} steps.`
}
