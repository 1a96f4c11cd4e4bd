import { cutText } from '../../divergence/print-value.ts'
import { describeDivergence } from '../../divergence/report/cause-words.ts'
import type { ReplayedRun } from '../../replay/contract/replayed-run.ts'
import { toRecordedError } from '../../trace/recorded-error.ts'
import type { Step } from '../../trace/trace.ts'
import { toRecorded } from '../../trace/values.ts'
import type { ForkSamples } from '../../travel/samples.ts'
import { describeSpent, percent } from '../../travel/verify/describe-verification.ts'
import { callText, errorText, resultText, valueText } from '../describe-step.ts'
import { formatTable } from '../table.ts'
import { count } from '../units.ts'

/** The maximum length of a call or a result in a list of steps. */
const longest = 60

/** Formats a fork as text: its steps from the forked one on, and its outcome. */
export function formatFork(run: ReplayedRun): string[] {
  const own = run.steps.filter(({ route }) => route !== undefined)
  const followed = run.steps.length - own.length
  if (own.length === 0 && run.divergences.length === 0) {
    return ['The agent did the same as in the recorded run. To change something, name a step with --at.', '', outcomeText(run)]
  }
  return [
    followed === 0 ? 'From the start:' : `${count(followed, 'step')} as recorded, then:`,
    ...formatSteps(own),
    '',
    ...run.divergences.filter(({ reason }) => reason === undefined).map((each) => `Departed at ${describeDivergence(each)}.`),
    outcomeText(run),
  ]
}

/** Formats several forks as text: their outcomes, the most frequent first. */
export function formatSamples({ runs, outcomes, spent, usedUp }: ForkSamples): string[] {
  const rows = outcomes.map(({ runs: same, share, interval }) => [
    `${same.length} of ${runs.length}`,
    percent(share),
    `${percent(interval.low)} to ${percent(interval.high)}`,
    ...same.slice(0, 1).map((run) => cutText(outcomeText(run), 100)),
  ])
  return [
    ...formatTable(['SAMPLES', 'SHARE', '95 %', 'OUTCOME'], rows),
    '',
    describeSpent(spent),
    ...(usedUp === undefined ? [] : [`The budget of ${usedUp} is used up.`]),
  ]
}

/** Returns a fork as data. */
export function forkToJson(run: ReplayedRun, id: string | undefined): object {
  return {
    ...(id !== undefined && { id }),
    outcome: outcomeToJson(run),
    divergences: run.divergences.map(({ step, position, cause, name, reason }) => ({ step, position, cause, name, reason })),
    steps: run.steps.map((step) => toRecorded(step, () => undefined)),
    virtualMs: run.virtualMs,
  }
}

function formatSteps(steps: readonly Step[]): string[] {
  const rows = steps.map((step) => [
    String(step.step),
    step.route ?? '',
    step.boundary,
    cutText(callText(step), longest),
    step.route === 'refuse' ? 'refused' : cutText(resultText(step), longest),
  ])
  return steps.length === 0 ? ['No further calls.'] : formatTable(['STEP', 'ROUTE', 'BOUNDARY', 'CALL', 'RESULT'], rows, ['STEP'])
}

/** Describes the outcome of a run. */
export function outcomeText(run: ReplayedRun): string {
  const { outcome } = run
  // Redacted, as in the kept fork.
  const { output, error } = run.toTrace().end ?? {}
  switch (outcome.status) {
    case 'returned':
      return `Returned ${valueText(output)}`
    case 'threw':
      return `Threw ${errorText(error ?? toRecordedError(outcome.error))}`
    case 'stopped': {
      const { cause, name, reason } = outcome.divergence
      if (cause !== 'unexpected-call' && reason !== undefined) return `Stopped. ${reason}`
      return reason === undefined ? `Stopped at ${describeDivergence(outcome.divergence)}` : `Stopped at a call of ${name}. ${reason}`
    }
    case 'in-flight':
      return 'Never ended.'
  }
}

function outcomeToJson(run: ReplayedRun): object {
  const { outcome } = run
  const { output, error } = run.toTrace().end ?? {}
  if (outcome.status === 'returned') return { status: outcome.status, output }
  if (outcome.status === 'threw') return { status: outcome.status, error }
  return outcome.status === 'stopped' ? { status: outcome.status, reason: outcome.divergence.reason ?? outcome.divergence.cause } : outcome
}
