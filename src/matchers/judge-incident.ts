import type { IncidentVerdict } from '../divergence/incident-verdict.ts'
import type { FailedCheck } from '../divergence/report/reported-run.ts'
import type { Departure } from '../replay/judge/incident/incident.ts'
import type { IncidentRun } from '../replay/judge/incident/incident-watch.ts'
import type { ReplayedRun } from '../replay/contract/replayed-run.ts'

/** Whether a run passes a check of the golden. */
export type AskCheck = (check: NonNullable<Departure['checks']>[number]) => FailedCheck | undefined

/**
 * The verdict of an incident golden on a replay. Held: the trigger was exercised, the incident's call was not made again, the run ended, and
 * every check passes. Repeated: the call was made again. Not exercised: it is unknown whether it would be.
 */
export function judgeIncident(run: ReplayedRun, departure: Departure, ask: AskCheck): IncidentVerdict {
  const { checks = [] } = departure
  const { incident: seen } = run
  if (seen === undefined)
    return { trigger: departure.trigger ?? 'input', at: departure.at, drift: [], word: 'not exercised', reason: 'unknown-step' }
  const { trigger, at } = seen.incident
  const left = run.divergences.find((divergence) => !seen.drift.includes(divergence))
  const about = {
    trigger: trigger === 'input' ? trigger : trigger.step,
    at: at.step,
    drift: seen.drift,
    ...(left && { departure: left }),
  }
  const { stop } = seen
  if (stop?.why === 'repeated') return { ...about, word: 'repeated', divergence: stop.divergence }
  const reason = whyNotExercised(run, seen)
  if (reason !== undefined) return { ...about, word: 'not exercised', ...reason }
  if (stop?.why === 'write') return { ...about, word: 'failed', failure: { reason: 'write', divergence: stop.divergence } }
  if (!seen.incident.repeats && checks.length === 0) return { ...about, word: 'not exercised', reason: 'unchecked' }
  if (run.outcome.status === 'threw' && !checks.some(({ matcher, not }) => matcher.startsWith('toHaveOutcome') && not !== true))
    return { ...about, word: 'failed', failure: { reason: 'error', error: run.outcome.error } }
  for (const check of checks) {
    const failed = ask(check)
    if (failed !== undefined) return { ...about, word: 'failed', failure: { reason: 'check', check: failed } }
  }
  return { ...about, word: 'held', repeatedSafely: seen.repeatedSafely }
}

type Reason = Pick<Extract<IncidentVerdict, { word: 'not exercised' }>, 'reason' | 'divergence' | 'steps'>

function whyNotExercised(run: ReplayedRun, seen: IncidentRun): Reason | undefined {
  const { outcome } = run
  const { stop, exercised, writesLeftOut } = seen
  if (stop?.why === 'unanswered') return { reason: 'unanswered', divergence: stop.divergence }
  if (stop?.why === 'write' && !exercised) return { reason: 'write-before', divergence: stop.divergence }
  if (!exercised) return { reason: 'trigger', ...instead(run, seen) }
  if (writesLeftOut.length > 0) return { reason: 'write-before', steps: writesLeftOut }
  if (stop === undefined && outcome.status === 'stopped') return { reason: 'stuck', divergence: outcome.divergence }
  return undefined
}

/** The divergence of the first call, up to the trigger, that the agent no longer makes. */
function instead({ divergences }: ReplayedRun, { incident: { trigger } }: IncidentRun): Pick<Reason, 'divergence'> {
  const left = divergences.find(({ cause, step }) => cause === 'missing-call' && (trigger === 'input' || step <= trigger.step))
  return left === undefined ? {} : { divergence: left }
}
