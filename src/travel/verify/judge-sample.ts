import { isDeepStrictEqual } from 'node:util'
import type { IncidentVerdict } from '../../divergence/incident-verdict.ts'
import { printValue } from '../../divergence/print-value.ts'
import { failedCheck, judgeDeparture } from '../../matchers/holds.ts'
import type { ReplayedRun } from '../../replay/contract/replayed-run.ts'
import { IncidentCalls } from '../../replay/judge/incident/incident-calls.ts'
import { canonical } from '../../trace/hash.ts'
import { toRecordedError } from '../../trace/recorded-error.ts'
import type { HttpInput, HttpOutput } from '../../trace/rows.ts'
import type { Check } from '../../trace/run-row.ts'
import { nameOfWrite } from '../../trace/side-effects.ts'
import type { Step, Trace } from '../../trace/trace.ts'
import type { SampleResult } from './verification.ts'

/** What samples are judged by. */
export interface SampleRules {
  /** The trace that was forked. */
  readonly trace: Trace
  /** Checks in addition to the golden's. */
  readonly checks: readonly Check[]
  /** The user's own judgement: returns false, or throws, if the sample fails. */
  readonly check: ((run: ReplayedRun) => unknown) | undefined
}

/** What a sample came to, and why it did not pass. */
export interface SampleJudgement {
  readonly result: SampleResult
  readonly cause?: string
}

/**
 * Judges one sample. If the golden is of an incident, by its rule and its checks. Otherwise by the checks that are given; without any, it has
 * to end as the recorded run did, with the same side effects.
 */
export async function judgeSample(run: ReplayedRun, rules: SampleRules): Promise<SampleJudgement> {
  const expectation = rules.trace.header.golden?.expect
  const incident = expectation?.replay === 'departs' ? judgeDeparture(run, expectation) : undefined
  // What the agent did wrong, it did wrong, even if something failed afterwards.
  if (incident?.word === 'repeated') return failed(`Repeated the incident: ${incident.divergence.name}.`)
  if (incident?.word === 'failed' && incident.failure.reason === 'write') return failed(failureText(incident.failure))
  const undecided = whyUndecided(run, incident)
  if (undecided !== undefined) return { result: 'undecided', cause: undecided }
  if (incident?.word === 'failed') return failed(failureText(incident.failure))
  const given = checksFail(run, rules.checks) ?? (await ownCheckFails(run, rules.check))
  if (given !== undefined) return failed(given)
  const isChecked = incident !== undefined || rules.checks.length > 0 || rules.check !== undefined
  const difference = isChecked ? undefined : differenceInEffect(run, rules.trace)
  return difference === undefined ? { result: 'passed' } : failed(difference)
}

function failed(cause: string): SampleJudgement {
  return { result: 'failed', cause }
}

function failureText(failure: Extract<IncidentVerdict, { word: 'failed' }>['failure']): string {
  switch (failure.reason) {
    case 'check':
      return `Failed the check ${failure.check.call}.`
    case 'error':
      return `Threw ${errorText(failure.error)}.`
    case 'write':
      return `Made a write that the golden does not allow: ${failure.divergence.name}.`
  }
}

/** Why a sample shows nothing, as a sentence. */
function whyUndecided(run: ReplayedRun, incident: IncidentVerdict | undefined): string | undefined {
  const { outcome } = run
  if (outcome.status === 'stopped') {
    const { name, reason, cause } = outcome.divergence
    return `Stopped at a call of ${name}: ${reason ?? cause}`
  }
  if (outcome.status === 'in-flight') return 'Never ended.'
  const down = run.steps.find((step) => isFailure(step) && !isMadeUpFor(step, run.steps))
  if (down !== undefined) return `The provider of ${down.name} failed: ${failureOf(down)}.`
  if (incident?.word !== 'not exercised') return undefined
  return incident.reason === 'unchecked'
    ? 'The golden has no check of what should happen instead of the incident: give one.'
    : 'Never reached what triggered the incident.'
}

/** Whether a live call got no answer, or one that says that it failed. */
function isFailure({ route, error, output }: Step): boolean {
  return route === 'live' && (error !== undefined || ((output as HttpOutput | undefined)?.status ?? 200) >= 400)
}

/** Whether the same call was answered later, as after a retry. */
function isMadeUpFor(failure: Step, steps: readonly Step[]): boolean {
  const input = canonical(failure.input)
  return steps.some((step) => {
    const { name, route, at } = step
    return name === failure.name && route === 'live' && at > failure.at && !isFailure(step) && canonical(step.input) === input
  })
}

function failureOf({ error, output }: Step): string {
  return error === undefined ? `status ${(output as HttpOutput).status}` : errorText(error)
}

function checksFail(run: ReplayedRun, checks: readonly Check[]): string | undefined {
  for (const check of checks) {
    const red = failedCheck(run, check)
    if (red !== undefined) return `Failed the check ${red.call}.`
  }
  return undefined
}

async function ownCheckFails(run: ReplayedRun, check: SampleRules['check']): Promise<string | undefined> {
  if (check === undefined) return undefined
  try {
    return (await check(run)) === false ? 'Failed the check.' : undefined
  } catch (error) {
    const [first = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
    return `Failed the check: ${first}`
  }
}

/** How a sample ended otherwise than the recorded run, or what it wrote that that did not; undefined if it did the same. */
function differenceInEffect(run: ReplayedRun, trace: Trace): string | undefined {
  const { outcome } = run
  const hasThrown = trace.end?.error !== undefined
  if (outcome.status === 'threw' && !hasThrown) return `Threw ${errorText(outcome.error)}.`
  if (outcome.status === 'returned' && hasThrown) return 'Returned, but the recorded run threw.'
  const calls = new IncidentCalls(trace)
  const recorded = calls.steps.filter((step) => calls.isWrite(step))
  const made = new IncidentCalls({ header: trace.header, steps: run.steps }).steps.filter((step) => calls.isWrite(step))
  if (isDeepStrictEqual(made.map(effectOf), recorded.map(effectOf))) return undefined
  const [names = '', expected = ''] = [made, recorded].map((writes) => writes.map(nameOfWrite).join(', '))
  if (names === expected) return `Passed different arguments to its side effects: ${names}.`
  return `Its side effects are ${names || 'none'}; those of the recorded run are ${expected || 'none'}.`
}

/** What a write does, without what is different each time that it is made. */
function effectOf(step: Step): string {
  const { json, text } = step.input as HttpInput
  return `${nameOfWrite(step)} ${canonical(step.boundary === 'http' ? [json, text] : step.input)}`
}

function errorText(error: unknown): string {
  const { name, message } = toRecordedError(error)
  return message === '' ? name : `${name}: ${printValue(message, 100)}`
}
