import { canonical } from '../../../trace/hash.ts'
import type { Expectation } from '../../../trace/run-row.ts'
import { repeatedSideEffects, sideEffectsOf, nameOfWrite } from '../../../trace/side-effects.ts'
import type { Step, Trace } from '../../../trace/trace.ts'
import { type IncidentCall, IncidentCalls, wireKeyOf } from './incident-calls.ts'

/** The expectation of an incident golden. */
export type Departure = Extract<Expectation, { replay: 'departs' }>

/** An incident, as needed to judge a replay of its golden. */
export interface Incident {
  readonly calls: IncidentCalls
  /** The step whose outcome triggered it; `input` if the run went wrong from the start. */
  readonly trigger: Step | 'input'
  /** The call that must not be made again. */
  readonly at: Step
  /** Whether the recorded run had made that call before. If so, the call is wrong whatever its arguments; otherwise, because of its arguments. */
  readonly repeats: boolean
  /** How often the recorded run made the call after the trigger, up to `at`. */
  readonly times: number
  /** Whether the recorded requests shared an idempotency key. */
  readonly sharedKey: boolean
  readonly allowWrites: ReadonlySet<string>
  /** The writes that the recorded run made before the trigger. */
  readonly writesBefore: readonly Step[]
}

/** Reads a golden's incident, with defaults for missing fields. */
export function incidentOf(trace: Pick<Trace, 'header' | 'steps'>, departure: Departure): Incident | undefined {
  const calls = new IncidentCalls(trace, departure.tools)
  const at = calls.standingFor(departure.at)
  const triggering = departure.trigger ?? defaultTrigger(trace, departure.at)
  const trigger = triggering === 'input' ? triggering : calls.standingFor(triggering)
  if (at === undefined || trigger === undefined) return undefined
  const start = trigger === 'input' ? 0 : trigger.step
  const same = calls.steps.filter(({ step }) => step >= start && step <= at.step).filter((step) => isSameCall(calls, step, at))
  const [first = at] = same
  const before = calls.steps.filter((step) => step.step < start && calls.isWrite(step))
  return {
    calls,
    trigger,
    at,
    repeats: first !== at,
    times: same.filter(({ step }) => step > start).length,
    sharedKey: wireKeyOf(first) !== undefined && wireKeyOf(first) === wireKeyOf(at),
    allowWrites: new Set(departure.allowWrites ?? laterWrites(calls, start, at)),
    writesBefore: before,
  }
}

/**
 * The first of the repeated calls; if the call at `at` is the first of its kind, the last step that had settled before it; else the input.
 */
export function defaultTrigger(trace: Pick<Trace, 'header' | 'steps'>, at: number): number | 'input' {
  const { header, steps } = trace
  const repeated = repeatedSideEffects(sideEffectsOf(steps, header)).find(({ step }) => step === at)
  if (repeated !== undefined) return repeated.first
  const calls = new IncidentCalls(trace)
  const call = calls.standingFor(at)
  if (call === undefined) return 'input'
  const before = calls.steps.filter(({ step }) => step < call.step)
  const first = call.boundary === 'model' ? undefined : before.find((step) => isSameCall(calls, step, call))
  return (first ?? before.findLast(({ settledAt = Infinity }) => settledAt <= call.at))?.step ?? 'input'
}

/** The names of the writes that the recorded run made after the trigger, except the incident's own. */
function laterWrites(calls: IncidentCalls, start: number, at: Step): string[] {
  const writes = calls.steps.filter((step) => step.step > start && calls.isWrite(step) && !isSameCall(calls, step, at))
  return [...new Set(writes.map(nameOfWrite))]
}

/** Writes are the same call regardless of arguments; other calls only if their inputs are equal. */
function isSameCall(calls: IncidentCalls, one: IncidentCall, other: IncidentCall): boolean {
  if (one.boundary !== other.boundary || one.name !== other.name) return false
  return calls.isWrite(other) ? nameOfWrite(one) === nameOfWrite(other) : canonical(one.input) === canonical(other.input)
}
