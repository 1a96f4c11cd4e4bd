import type { Divergence } from '../divergence/divergence.ts'
import type { ReplayedRun } from '../replay/contract/replayed-run.ts'
import type { Departure } from '../replay/judge/incident/incident.ts'

/** The expectation of a run's trace, if it differs from the recorded run. */
export function departureOf({ trace }: Pick<ReplayedRun, 'trace'>): Departure | undefined {
  const expectation = trace.header.golden?.expect
  return expectation?.replay === 'departs' ? expectation : undefined
}

/** The first divergence of a replay from the recorded run. */
export function divergenceOf({ divergences, outcome }: ReplayedRun): Divergence | undefined {
  return divergences[0] ?? (outcome.status === 'stopped' ? outcome.divergence : undefined)
}

/** Whether a replay holds because it equals the recorded run, as its trace expects. */
export function isSameRun(run: ReplayedRun): boolean {
  return departureOf(run) === undefined && divergenceOf(run) === undefined
}
