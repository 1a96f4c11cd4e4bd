import { ownCommand } from '../../../stores/package-manager.ts'
import { omitUndefined } from '../../../trace/json.ts'
import type { Check } from '../../../trace/run-row.ts'
import { type RepeatedSideEffect, repeatedSideEffects, sideEffectsOf } from '../../../trace/side-effects.ts'
import type { Trace } from '../../../trace/trace.ts'
import { defaultTrigger, type Departure, type Incident, incidentOf } from '../../judge/incident/incident.ts'
import { PromoteError } from './promote-error.ts'

/** What an incident golden contains besides the recorded run. */
export interface IncidentOptions {
  /** The step that must not happen again. Default: the first that repeats a side effect. */
  readonly at?: number
  /**
   * The step whose outcome triggered the incident, or `input` if the run went wrong from the start. Default: the first of the repeated
   * calls, else the last step before `at`.
   */
  readonly trigger?: number | 'input'
  /** Answers for calls after the trigger that have no recorded counterpart, by tool, host or boundary name. Default: none. */
  readonly answers?: Readonly<Record<string, unknown>>
  /** Checks that the run has to pass. Required if `at` repeats nothing, or is a model call. Default: none. */
  readonly checks?: readonly Check[]
  /** Writes that the agent may make after the trigger, in addition to those of the recorded run. Default: none. */
  readonly allowWrites?: readonly string[]
  /** Tools whose functions run, for a fix inside the tool. Default: none. */
  readonly tools?: Readonly<Record<string, 'run'>>
}

/** The side effects that a run repeated, including inferred ones. */
export function findRepeatedSideEffects({ header, steps }: Pick<Trace, 'header' | 'steps'>): RepeatedSideEffect[] {
  return repeatedSideEffects(sideEffectsOf(steps, header))
}

/**
 * The expectation of an incident golden: once the agent reaches the trigger, it does not make the incident's call again.
 *
 * @throws PromoteError if `at` is not given and the run repeats no side effect, if there is no step `at` or `trigger`, or if nothing would
 * distinguish a fixed agent from one that does nothing.
 */
export function expectDeparture(trace: Trace, options: IncidentOptions = {}): Departure {
  const { answers, checks, tools } = options
  const at = options.at ?? findRepeatedSideEffects(trace)[0]?.step
  if (at === undefined) {
    throw new PromoteError('GOLDENRUN_PROMOTE_INCIDENT', {
      trace: trace.header.id,
      problem: 'it repeats no side effect, so where it went wrong cannot be inferred.',
      advice: `Name the step that should not happen again: --incident <step>. To see the steps: ${ownCommand(`show ${trace.header.id}`)}`,
    })
  }
  const trigger = options.trigger ?? defaultTrigger(trace, at)
  for (const step of trigger === 'input' ? [at] : [at, trigger]) checkStep(trace, step)
  const departure: Departure = omitUndefined({ replay: 'departs' as const, trigger, at, answers, checks, tools })
  const incident = incidentOf(trace, departure)
  if (incident === undefined) return departure
  if (!incident.repeats && (checks ?? []).length === 0) throw guardsNothing(trace, incident)
  const allowWrites = [...new Set([...incident.allowWrites, ...checkedWrites(incident, checks ?? []), ...(options.allowWrites ?? [])])]
  return { ...departure, ...(allowWrites.length > 0 && { allowWrites }) }
}

/** The write that went wrong because of its arguments, if a check says what they should be. */
function checkedWrites({ at, calls, repeats }: Incident, checks: readonly Check[]): string[] {
  const isChecked = checks.some(({ args = [] }) => args.some((arg) => arg === at.name))
  return !repeats && calls.isWrite(at) && isChecked ? [at.name] : []
}

/**
 * The refusal of a golden that an agent would pass that mends nothing.
 *
 * @param told `passed` are its checks, as printed; default: it has none. `by` is the agent; default: one that does nothing.
 */
export function guardsNothing(
  { header }: Pick<Trace, 'header'>,
  { at, trigger }: Incident,
  { passed = [], by = 'an agent that does nothing at all' }: { readonly passed?: readonly string[]; readonly by?: string } = {},
): PromoteError {
  const since = trigger === 'input' ? 'the input' : `step ${trigger.step}`
  const idle = passed.length === 0 ? `so ${by} would pass` : `and ${by} passes ${passed.join(' and ')}`
  return new PromoteError('GOLDENRUN_PROMOTE_INCIDENT', {
    trace: header.golden?.promotedFrom ?? header.id,
    problem: `step ${at.step} (${at.name}) repeats no call since ${since}, ${idle}.`,
    advice: `Say what it should do instead, with a check of the outcome or of a call: --check 'toHaveCalledTool("name")', --check 'toHaveOutcome({ "output": … })'.`,
  })
}

/** @throws PromoteError if the trace has no such step. */
export function checkStep({ header, steps }: Trace, step: number): void {
  if (steps.some((candidate) => candidate.step === step)) return
  const last = steps.at(-1)
  throw new PromoteError('GOLDENRUN_PROMOTE_INCIDENT', {
    trace: header.id,
    problem: last === undefined ? `it has no steps, so there is no step to avoid.` : `it has no step ${step}.`,
    advice:
      last === undefined
        ? 'Record a run that makes a call.'
        : `Its steps are 1 to ${last.step}. To see them: ${ownCommand(`show ${header.id}`)}`,
  })
}
