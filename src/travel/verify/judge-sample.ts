import { isDeepStrictEqual } from 'node:util'
import type { IncidentVerdict } from '../../divergence/incident-verdict.ts'
import { printValue } from '../../divergence/print-value.ts'
import { failedCheck, judgeDeparture } from '../../matchers/holds.ts'
import type { NormalAnswer } from '../../models/dialect.ts'
import type { ReplayedRun } from '../../replay/contract/replayed-run.ts'
import type { Departure } from '../../replay/judge/incident/incident.ts'
import { IncidentCalls } from '../../replay/judge/incident/incident-calls.ts'
import { canonical } from '../../trace/hash.ts'
import { toRecordedError } from '../../trace/recorded-error.ts'
import type { HttpInput, HttpOutput, RecordedError } from '../../trace/rows.ts'
import type { Check } from '../../trace/run-row.ts'
import { nameOfWrite } from '../../trace/side-effects.ts'
import type { Step, Trace } from '../../trace/trace.ts'
import type { VerifySample } from './verification.ts'
import type { OwnVerifyOptions } from './verify-options.ts'

/** The rules that samples are judged by. */
export interface SampleRules extends Pick<OwnVerifyOptions, 'checks' | 'check'> {
  /** The trace that was forked. */
  readonly trace: Trace
}

/** The result of a sample, and why it did not pass. */
type SampleJudgement = Pick<VerifySample, 'result' | 'cause'>

/**
 * Judges one sample. For an incident golden, its rule and its checks decide. Otherwise the given checks decide; without checks, the sample has to end
 * as the recorded run did, with the same side effects.
 */
export async function judgeSample(run: ReplayedRun, rules: SampleRules): Promise<SampleJudgement> {
  const expectation = rules.trace.header.golden?.expect
  const incident = expectation?.replay === 'departs' ? judgeDeparture(run, expectation) : undefined
  // A wrong action of the agent counts even if something failed afterwards.
  if (incident?.word === 'repeated') return failed(`Repeated the incident: ${incident.divergence.name}.`)
  if (incident?.word === 'failed' && incident.failure.reason === 'write') return failed(failureText(incident.failure))
  const undecided = whyUndecided(run, incident)
  if (undecided !== undefined) return { result: 'undecided', cause: undecided }
  if (incident?.word === 'failed') return failed(failureText(incident.failure))
  const unknown = incident === undefined || expectation?.replay !== 'departs' ? undefined : unknownWrite(run, rules.trace, expectation)
  if (unknown !== undefined) return failed(`Made a call that may be a write, and that the golden does not allow: ${unknown}.`)
  const given = checksFail(run, rules.checks) ?? (await ownCheckFails(run, rules.check))
  if (given !== undefined) return failed(given)
  const isChecked = incident !== undefined || rules.checks.length > 0 || rules.check !== undefined
  const difference = isChecked ? undefined : differenceInEffect(run, rules.trace)
  return difference === undefined ? { result: 'passed' } : failed(difference)
}

/**
 * Finds a tool or external without a known effect that the fork called, that the recorded run did not call, and that the golden has no answer for. It
 * counts as a write.
 */
function unknownWrite({ steps }: ReplayedRun, trace: Trace, { answers = {}, allowWrites = [] }: Departure): string | undefined {
  const known = new Set([...trace.steps.map(({ name }) => name), ...Object.keys(answers), ...allowWrites])
  return steps.find(({ route, boundary, effect, name }) => {
    const isCall = boundary === 'tool' || boundary === 'external'
    return route !== undefined && isCall && effect === undefined && !known.has(name)
  })?.name
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

/** Returns why a sample shows nothing, as a sentence. */
function whyUndecided(run: ReplayedRun, incident: IncidentVerdict | undefined): string | undefined {
  const { outcome } = run
  if (outcome.status === 'stopped') {
    const { name, reason, cause } = outcome.divergence
    return `Stopped at a call of ${name}: ${reason ?? cause.replaceAll('-', ' ')}`
  }
  if (outcome.status === 'in-flight') return 'Never ended.'
  const failure = unansweredCall(run)
  if (failure !== undefined) return failure
  if (incident?.word !== 'not exercised') return undefined
  return incident.reason === 'unchecked'
    ? 'The golden has no check of what should happen instead of the incident: give one.'
    : 'Never reached what triggered the incident.'
}

/** Returns the first live call that never got a usable answer, as a sentence. A call that was answered when retried does not count. */
function unansweredCall({ steps, modelCalls }: ReplayedRun): string | undefined {
  const answers = new Map(modelCalls.map(({ step, answer }) => [step, answer]))
  const live = steps.filter(({ route }) => route === 'live').map((step) => ({ step, failure: failureOf(step, answers.get(step.step)) }))
  const down = live.find(({ step, failure }) => {
    if (failure === undefined) return false
    const input = canonical(step.input)
    const isAgain = (other: Step): boolean => other.name === step.name && other.at > step.at && canonical(other.input) === input
    return !live.some((other) => other.failure === undefined && isAgain(other.step))
  })
  return down && `The provider of ${down.step.name} failed: ${down.failure}.`
}

/** Returns why a live call has no usable answer; undefined if it has one. */
function failureOf({ boundary, error, output, settledAt }: Step, answer: NormalAnswer | undefined): string | undefined {
  if (error !== undefined) return errorText(error)
  const { status } = (output ?? {}) as HttpOutput
  if (status !== undefined && status >= 400) return `status ${status}`
  if (settledAt === undefined || status === undefined) return 'no answer'
  if (boundary !== 'model') return undefined
  if (answer?.error !== undefined) return answer.error.message
  if (answer === undefined || (answer.text === '' && answer.toolCalls.length === 0 && answer.refusal === undefined))
    return 'an answer without content'
  // An answer with a stop reason is complete.
  return answer.stopReason === undefined ? 'an answer that does not end' : undefined
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

/** Returns how a sample's outcome or writes differ from the recorded run, as a sentence; undefined if they do not. */
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

/** Describes a write, without values that differ each time. */
function effectOf(step: Step): string {
  const { json, text } = step.input as HttpInput
  return `${nameOfWrite(step)} ${canonical(step.boundary === 'http' ? [json, text] : step.input)}`
}

/** Returns the text of an error, or of a recorded error. */
function errorText(error: unknown): string {
  const { name, message } = error instanceof Error ? toRecordedError(error) : (error as RecordedError)
  return message === '' ? name : `${name}: ${printValue(message, 100)}`
}
