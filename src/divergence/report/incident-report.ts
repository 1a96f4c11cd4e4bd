import { repeatedSideEffects, sideEffectsOf } from '../../trace/side-effects.ts'
import type { Step } from '../../trace/trace.ts'
import { describeCall } from '../describe-call.ts'
import { departureBefore } from '../departure.ts'
import type { Divergence } from '../divergence.ts'
import { adviceFor, answerAdvice, keepAdvice } from './advice.ts'
import { describeDivergence, explain } from './cause-words.ts'
import { factsOf } from './facts.ts'
import type { Report } from './report.ts'
import { nameOf, type FailedCheck, type ReportedRun } from './reported-run.ts'
import { stepsBefore, stepsUpTo } from './steps.ts'

/** What of a report differs from incident to incident. */
export type ReportParts = Omit<Report, 'subject' | 'consequences' | 'notes'>

/** A call within a sentence is cut after so many characters. */
const longest = 80

/** Why the golden of an incident does not hold: the agent was stopped, does again what went wrong, or does not pass a check. */
export function incidentReport(run: ReportedRun, at: number, failedCheck: FailedCheck | undefined): ReportParts {
  const [first] = run.divergences
  if (run.outcome.status === 'stopped' && first !== undefined) return stoppedReport(run, at, stopOf(run, first))
  const departure = departureBefore(run, at)
  return failedCheck === undefined || departure === undefined ? repeatedReport(run, at) : checkReport(run, departure, failedCheck)
}

/** The call that was refused is the last that the trace does not have; what stands before it was answered. */
function stopOf({ divergences }: ReportedRun, first: Divergence): Divergence {
  return divergences.findLast(({ cause }) => cause === 'unexpected-call' || cause === 'input' || cause === 'unrecorded-contact') ?? first
}

function stoppedReport(run: ReportedRun, at: number, divergence: Divergence): ReportParts {
  const isUnanswered = divergence.cause === 'unexpected-call' || divergence.cause === 'input'
  const advice = isUnanswered ? [answerAdvice(run, divergence), keepAdvice(run, at)] : adviceFor(run, divergence)
  return {
    headline: `Failed to hold "${nameOf(run)}": the replay was stopped at ${describeDivergence(divergence)}.`,
    steps: stepsUpTo(run, divergence),
    explanation: `${explain(divergence)} It has no answer, so it cannot be told whether the agent does better.`,
    divergence,
    facts: factsOf(run, divergence),
    advice,
  }
}

function repeatedReport(run: ReportedRun, at: number): ReportParts {
  const { steps } = run.trace
  const step = steps.find((candidate) => candidate.step === at)
  const first = step === undefined ? undefined : firstMade(step, steps)
  const call = step === undefined ? '' : describeCall(step.boundary, step.name, step.input, longest)
  return {
    headline: `Failed to hold "${nameOf(run)}": the agent still does what went wrong.`,
    steps: stepsBefore(run, at),
    explanation:
      first === undefined
        ? `Step ${at} is made as it was recorded: ${call}.`
        : `Step ${at} repeats ${call}, first made at step ${first.step}.`,
    facts: [],
    advice: [
      { words: `The golden holds once the agent departs from the recorded run at step ${at} or before. Fix the agent, not the golden.` },
    ],
  }
}

function checkReport(run: ReportedRun, departure: Divergence, { call, message }: FailedCheck): ReportParts {
  return {
    headline: `Failed to hold "${nameOf(run)}": the agent departs from what went wrong, but does not pass ${call}.`,
    steps: stepsUpTo(run, departure),
    explanation: `It departs at ${describeDivergence(departure)}.`,
    divergence: departure,
    facts: [{ kind: 'message', text: message }],
    advice: [{ words: 'The check stands in the golden. Fix the agent; or promote the incident again with other checks (--check).' }],
  }
}

/** The step that made the same side effect before: by its idempotency key, or by its arguments. */
function firstMade({ step }: Step, steps: readonly Step[]): Step | undefined {
  const repeated = repeatedSideEffects(sideEffectsOf(steps)).find((made) => made.step === step)
  return steps.find((candidate) => candidate.step === repeated?.first)
}
