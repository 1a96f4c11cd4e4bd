import { nameOfWrite } from '../../trace/side-effects.ts'
import { describeCall } from '../describe-call.ts'
import type { Divergence } from '../divergence.ts'
import type { Failure, IncidentVerdict } from '../incident-verdict.ts'
import { explain } from './cause-words.ts'
import { advise, answerInGolden } from './advice.ts'
import { factsOf } from './facts.ts'
import { goldenrunCommand, promoteIncidentAgain, type PromoteOption } from './next-commands.ts'
import type { Report } from './report.ts'
import { type ReportedRun, nameOf } from './reported-run.ts'
import { stepNumbered, stepsBefore, stepsUpTo } from './steps.ts'

/** The parts of a report that depend on the incident. */
export type ReportParts = Omit<Report, 'subject' | 'consequences' | 'notes'>

/** A call within a sentence is cut to this many characters. */
const longest = 80

/** Why an incident golden does not hold, or on what evidence it holds. */
export function incidentReport(run: ReportedRun, verdict: IncidentVerdict): ReportParts {
  switch (verdict.word) {
    case 'held':
      return reportWith({ headline: `Held "${nameOf(run)}": ${evidenceOf(run, verdict)}.` })
    case 'repeated':
      return repeatedReport(run, verdict)
    case 'not exercised':
      return notExercisedReport(run, verdict)
    case 'failed':
      return failedReport(run, verdict, verdict.failure)
    case 'nondeterminism':
      return reportWith({
        headline: `Failed to hold "${nameOf(run)}": the verdict depends on random values or the clock.`,
        explanation: `Replayed again in this process with different random values and times, the same agent is ${verdict.words.join(' or ')}.`,
        advice: [
          advise(
            'decide-without-chance',
            'An agent that sometimes repeats the incident is not fixed. Make the decision independent of random values, of the clock and of what a module keeps from run to run.',
          ),
        ],
      })
  }
}

/** A report in which missing parts are empty. */
function reportWith(parts: Partial<ReportParts> & Pick<ReportParts, 'headline'>): ReportParts {
  return { steps: [], explanation: '', facts: [], advice: [], ...parts }
}

/** On what evidence an incident held: `exercised at step 5; departs after it: find_refund instead of refund_order; 2 earlier inputs drifted`. */
export function evidenceOf(run: ReportedRun, verdict: Extract<IncidentVerdict, { word: 'held' }>): string {
  const { trigger, at, departure, drift, repeatedSafely } = verdict
  const call = stepNumbered(run.trace.steps, at)?.name ?? 'the call'
  const instead = departure?.cause === 'unexpected-call' && departure.name !== call ? `${departure.name} instead of ${call}` : `no ${call}`
  return [
    trigger === 'input' ? 'exercised from the input on' : `exercised at step ${trigger}`,
    repeatedSafely ? `${call} was repeated with the idempotency key of the first` : `departs after it: ${instead}`,
    ...(drift.length === 0 ? [] : [`${drift.length} earlier ${drift.length === 1 ? 'input' : 'inputs'} drifted`]),
  ].join('; ')
}

function repeatedReport(run: ReportedRun, { at, trigger, divergence, drift }: Extract<IncidentVerdict, { word: 'repeated' }>): ReportParts {
  const recorded = stepNumbered(run.trace.steps, at)
  const call = recorded === undefined ? '' : describeCall(recorded.boundary, recorded.name, recorded.input, longest)
  const [difference, ...more] = divergence.nearest.find(({ step }) => step === at)?.differences ?? []
  const isSame = difference === undefined
  const made = trigger === 'input' || trigger === at ? '' : `, first made at step ${trigger}`
  const isRepeat = trigger !== 'input' && stepNumbered(run.trace.steps, trigger)?.name === recorded?.name
  const other = describeCall(divergence.boundary ?? 'tool', divergence.name ?? '', divergence.received, longest)
  const change =
    more.length === 0 && difference !== undefined
      ? `, with ${difference.path.replace(/^(args|body)\./, '')} ${print(difference.received)} instead of ${print(difference.expected)}`
      : `: ${other}`
  return {
    headline: `Failed to hold "${nameOf(run)}": the agent still repeats the incident.`,
    steps: stepsBefore(run, at),
    explanation: isSame
      ? `Step ${at} makes ${call}${isRepeat ? ` again${made}` : ', as it did in the incident'}.`
      : `Step ${at} makes ${recorded?.name ?? call} again${change}.`,
    divergence,
    facts: divergence.site === undefined ? [] : [{ kind: 'site', site: divergence.site }],
    advice: [...promptAdvice(drift), advise('fix-the-agent', 'Fix the agent, not the golden.')],
  }
}

/** The recorded answers belong to different requests. Only the model can tell whether it would answer the same. */
function promptAdvice(drift: readonly Divergence[]): Report['advice'] {
  const asked = drift.find(({ boundary }) => boundary === 'model')
  if (asked === undefined) return []
  return [
    advise(
      'prompt-needs-model',
      `Step ${asked.step} called the model with a changed request and got the recorded answer. If the fix is in the prompt, no recorded answer can tell ` +
        'whether it works: the model itself has to be called.',
    ),
  ]
}

function notExercisedReport(run: ReportedRun, verdict: Extract<IncidentVerdict, { word: 'not exercised' }>): ReportParts {
  const { trigger, divergence, reason, steps: leftOut = [] } = verdict
  const headline = `Failed to hold "${nameOf(run)}": the incident was not exercised.`
  const seen = divergence === undefined ? {} : { divergence, facts: factsOf(run, divergence), steps: stepsUpTo(run, divergence) }
  const notExercised = (parts: Partial<ReportParts>): ReportParts => reportWith({ ...seen, headline, ...parts })
  const seenWords = divergence === undefined ? '' : `${explain(divergence)} `
  const at = trigger === 'input' ? 'its input' : `step ${trigger}`
  switch (reason) {
    case 'trigger':
      return notExercised({
        steps: typeof trigger === 'number' ? stepsBefore(run, trigger) : [],
        explanation: `The agent never reached ${at}, whose outcome triggered the incident, so it is unknown what the agent would do next.`,
        advice: [
          advise('delete-golden', 'If the agent is right to no longer make that call, the incident cannot happen: delete the golden.'),
          advise('reach-trigger-again', 'Otherwise make the agent reach it again, or promote a newer recording.'),
        ],
      })
    case 'write-before':
      return notExercised({
        explanation:
          leftOut.length > 0
            ? `The recorded run made ${leftOut.length === 1 ? 'a write' : 'writes'} before ${at} (step ${leftOut.join(', ')}) that the agent did not make as recorded.`
            : `${seenWords}Writes up to and including ${at} have to match the recording.`,
        advice: [advise('promote-newer-incident', 'If the new write is right, promote a newer recording of the incident.')],
      })
    case 'unanswered':
      return notExercised({
        explanation: `${seenWords}The call has no answer, so it is unknown what the agent would do next.`,
        advice: divergence === undefined ? [] : answerInGolden(run, divergence),
      })
    case 'stuck':
      return notExercised({ explanation: 'The agent is waiting for something that never happens.' })
    case 'unchecked':
      return notExercised({
        explanation: 'The agent no longer repeats the incident, but the golden has no check of what it should do instead.',
        advice: [advise('add-check', 'Promote the incident again with a check of the outcome or of a call (--check).')],
      })
    case 'unknown-step':
      return notExercised({
        explanation: `The trace does not have step ${verdict.at}, or the step that the golden names as its trigger.`,
        advice: [advise('promote-incident-again', 'Promote the incident again.')],
      })
  }
}

function failedReport(run: ReportedRun, { at, departure }: IncidentVerdict, failure: Failure): ReportParts {
  const name = nameOf(run)
  const { header } = run.trace
  const steps = departure === undefined ? stepsBefore(run, at) : stepsUpTo(run, departure)
  const promoteWith = (...option: PromoteOption): string => goldenrunCommand(run.commands, promoteIncidentAgain(header, option))
  switch (failure.reason) {
    case 'check':
      return reportWith({
        headline: `Failed to hold "${name}": the agent no longer repeats the incident, but does not pass ${failure.check.call}.`,
        steps,
        facts: [{ kind: 'message', text: failure.check.message }],
        advice: [
          advise(
            'change-checks',
            'The check is part of the golden. Fix the agent, or promote the incident again with different checks (--check).',
          ),
        ],
      })
    case 'error': {
      const command = promoteWith('--check', 'toHaveOutcome({ "status": "threw" })')
      return reportWith({
        headline: `Failed to hold "${name}": the agent no longer repeats the incident, but it throws.`,
        steps,
        explanation: `It threw ${errorText(failure.error)}, which no check expects.`,
        advice: [{ id: 'expect-error', words: 'If that is right, add a check that expects it:', command }],
      })
    }
    case 'write': {
      const { divergence } = failure
      return reportWith({
        headline: `Failed to hold "${name}": the agent makes a write that the golden does not allow.`,
        steps: stepsUpTo(run, divergence),
        explanation: explain(divergence),
        divergence,
        facts: factsOf(run, divergence),
        advice: [{ id: 'allow-write', words: 'If that is right, allow it:', command: promoteWith('--allow-write', writeOf(divergence)) }],
      })
    }
  }
}

/** The name of a write in the golden. */
function writeOf({ boundary = 'tool', name = '', received }: Divergence): string {
  return nameOfWrite({ boundary, name, input: received })
}

function errorText(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}

function print(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing'
}
