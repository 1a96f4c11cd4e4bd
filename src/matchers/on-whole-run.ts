import { renderReport } from '../divergence/report.ts'
import { nameOf } from '../divergence/report/reported-run.ts'
import type { IncidentVerdict } from '../divergence/incident-verdict.ts'
import type { ReplayedRun } from '../replay/contract/replayed-run.ts'
import { judgeIncident } from './judge-incident.ts'
import type { MatchContext, Matcher } from './matcher.ts'
import { departureOf } from './same-run.ts'

/**
 * Makes a matcher one that passes on no run that was stopped, negated or not: half a run proves nothing about what the agent would have done,
 * or left undone, in the other half.
 */
export function onWholeRun<Args extends readonly unknown[]>(name: string, matcher: Matcher<Args>): Matcher<Args> {
  return (context, run, ...args) => {
    // Called all the same: its arguments are checked whatever became of the run.
    const result = matcher(context, run, ...args)
    const { status } = run.outcome
    if (status !== 'stopped' && status !== 'in-flight') return result
    return cannotTell(context, () => {
      const became = status === 'stopped' ? 'was stopped' : 'has no end, as its trace has none'
      const why = `${name} cannot tell: the replay of "${nameOf(run)}" ${became}, and half a run proves nothing.`
      if (run.divergences.length === 0) return why
      return `${why}\n\n${renderReport(run, { ...context, ...incidentOf(run) })}`
    })
  }
}

/** Of the golden of an incident, what its replay was stopped for. */
function incidentOf(run: ReplayedRun): { readonly incident?: IncidentVerdict } {
  const departure = departureOf(run)
  return departure === undefined ? {} : { incident: judgeIncident(run, departure, () => undefined) }
}

/** A result that fails the assertion, negated or not. */
export function cannotTell({ isNot }: Pick<MatchContext, 'isNot'>, message: () => string): { pass: boolean; message: () => string } {
  return { pass: isNot, message }
}
