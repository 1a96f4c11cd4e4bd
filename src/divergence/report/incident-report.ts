import { SideEffects } from '../../record/side-effects.ts'
import { canonical } from '../../trace/hash.ts'
import type { Step } from '../../trace/trace.ts'
import { describeCall } from '../describe-call.ts'
import { departureBefore } from '../departure.ts'
import type { Divergence } from '../divergence.ts'
import { adviceFor, answerAdvice, keepAdvice } from './advice.ts'
import { bodyLines } from './body-lines.ts'
import { describeDivergence, explain } from './cause-words.ts'
import type { Layout } from './layout.ts'
import { nameOf, type FailedCheck, type ReportedRun } from './reported-run.ts'
import { stepsBefore, stepsUpTo } from './step-lines.ts'

/** The parts of a report; empty ones are left out. */
export interface ReportParts {
  readonly headline: string
  readonly steps: readonly string[]
  readonly explanation: string
  readonly body: readonly string[]
  readonly advice: readonly string[]
}

/** Why the golden of an incident does not hold: the agent was stopped, does again what went wrong, or does not pass a check. */
export function incidentReport(run: ReportedRun, at: number, failedCheck: FailedCheck | undefined, layout: Layout): ReportParts {
  const [first] = run.divergences
  if (run.outcome.status === 'stopped' && first !== undefined) return stoppedReport(run, at, stopOf(run, first), layout)
  const departure = departureBefore(run, at)
  return failedCheck === undefined || departure === undefined
    ? repeatedReport(run, at, layout)
    : checkReport(run, departure, failedCheck, layout)
}

/** The call that was refused is the last that the trace does not have; what stands before it was answered. */
function stopOf({ divergences }: ReportedRun, first: Divergence): Divergence {
  return divergences.findLast(({ cause }) => cause === 'unexpected-call' || cause === 'input' || cause === 'unrecorded-contact') ?? first
}

function stoppedReport(run: ReportedRun, at: number, divergence: Divergence, layout: Layout): ReportParts {
  const isUnanswered = divergence.cause === 'unexpected-call' || divergence.cause === 'input'
  const advice = isUnanswered
    ? [...answerAdvice(run, divergence, layout), ...keepAdvice(run, at, layout)]
    : adviceFor(run, divergence, layout)
  return {
    headline: `Failed to hold "${nameOf(run)}": the replay was stopped at ${describeDivergence(divergence)}.`,
    steps: stepsUpTo(run, divergence, layout),
    explanation: `${explain(divergence)} It has no answer, so it cannot be told whether the agent does better.`,
    body: bodyLines(run, divergence, layout),
    advice,
  }
}

function repeatedReport(run: ReportedRun, at: number, layout: Layout): ReportParts {
  const { steps } = run.trace
  const step = steps.find((candidate) => candidate.step === at)
  const first = step === undefined ? undefined : firstMade(step, steps)
  const call = step === undefined ? '' : describeCall(step.boundary, step.name, step.input, layout.width - 40)
  return {
    headline: `Failed to hold "${nameOf(run)}": the agent still does what went wrong.`,
    steps: stepsBefore(run, at, layout),
    explanation:
      first === undefined
        ? `Step ${at} is made as it was recorded: ${call}.`
        : `Step ${at} repeats ${call}, first made at step ${first.step}.`,
    body: [],
    advice: [`The golden holds once the agent departs from the recorded run at step ${at} or before. Fix the agent, not the golden.`],
  }
}

function checkReport(run: ReportedRun, departure: Divergence, { call, message }: FailedCheck, layout: Layout): ReportParts {
  return {
    headline: `Failed to hold "${nameOf(run)}": the agent departs from what went wrong, but does not pass ${call}.`,
    steps: stepsUpTo(run, departure, layout),
    explanation: `It departs at ${describeDivergence(departure)}.`,
    body: message.split('\n').map((line) => (line === '' ? '' : `    ${line}`)),
    advice: ['The check stands in the golden. Fix the agent; or promote the incident again with other checks (--check).'],
  }
}

/** The step that made the same side effect before: by its idempotency key, or by its arguments. */
function firstMade({ step }: Step, steps: readonly Step[]): Step | undefined {
  const sideEffects = new SideEffects()
  for (const { step: number, effect, name, idempotencyKey, input } of steps) {
    if (effect !== 'write') continue
    const first = sideEffects.count(number, name, idempotencyKey ?? canonical(input))
    if (number === step) return steps.find((candidate) => candidate.step === first)
  }
  return undefined
}
