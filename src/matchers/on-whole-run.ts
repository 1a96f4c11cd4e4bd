import { renderReport } from '../divergence/create-report.ts'
import { nameOf } from '../divergence/report/reported-run.ts'
import type { IncidentVerdict } from '../divergence/incident-verdict.ts'
import type { ReplayedRun } from '../replay/contract/replayed-run.ts'
import { judgeIncident } from './judge-incident.ts'
import type { MatchContext, Matcher } from './matcher-types.ts'
import { departureOf } from './same-run.ts'

/** Makes a matcher fail for a run that was stopped, negated or not: a partial run proves nothing about the rest. */
export function onWholeRun<Args extends readonly unknown[]>(name: string, matcher: Matcher<Args>): Matcher<Args> {
  return (context, run, ...args) => {
    // Called in any case, because it checks its arguments.
    const result = matcher(context, run, ...args)
    const { status } = run.outcome
    if (status !== 'stopped' && status !== 'in-flight') return result
    return cannotTell(context, () => {
      const became = status === 'stopped' ? 'was stopped' : 'has no end, as its trace has none'
      const why = `${name} cannot decide: the replay of "${nameOf(run)}" ${became}, and a partial run proves nothing.`
      if (run.divergences.length === 0) return why
      return `${why}\n\n${renderReport(run, { ...context, ...incidentOf(run) })}`
    })
  }
}

/** For an incident golden: why its replay was stopped. */
function incidentOf(run: ReplayedRun): { readonly incident?: IncidentVerdict } {
  const departure = departureOf(run)
  return departure === undefined ? {} : { incident: judgeIncident(run, departure, () => undefined) }
}

/** A result that fails the assertion, negated or not. */
export function cannotTell({ isNot }: Pick<MatchContext, 'isNot'>, message: () => string): { pass: boolean; message: () => string } {
  return { pass: isNot, message }
}
