import { canonical } from '../../../trace/hash.ts'
import type { Expectation } from '../../../trace/run-row.ts'
import { repeatedSideEffects, sideEffectsOf, nameOfWrite } from '../../../trace/side-effects.ts'
import type { Step, Trace } from '../../../trace/trace.ts'
import { type IncidentCall, IncidentCalls, wireKeyOf } from './incident-calls.ts'

/** What the golden of an incident expects. */
export type Departure = Extract<Expectation, { replay: 'departs' }>

/** An incident as the replay of its golden is held against it. */
export interface Incident {
  readonly calls: IncidentCalls
  /** The step whose outcome made it happen; `input` where the run went wrong from the start. */
  readonly trigger: Step | 'input'
  /** The call that must not be made again. */
  readonly at: Step
  /** Whether the recorded run had made that call before: then it is wrong whatever its arguments, and else because of them. */
  readonly repeats: boolean
  /** How often the recorded run made the call after the trigger, up to `at`. */
  readonly times: number
  /** Whether the recorded requests shared an idempotency key. */
  readonly sharedKey: boolean
  readonly allowWrites: ReadonlySet<string>
  /** The writes that the recorded run made before the trigger. */
  readonly writesBefore: readonly Step[]
}

/** Reads what a golden says of its incident, and takes the usual for what it does not say. */
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

/** The first of the repeated calls; where the call at `at` is the first of its kind, the last step that had settled before it; else the input. */
export function defaultTrigger(trace: Pick<Trace, 'header' | 'steps'>, at: number): number | 'input' {
  const { header, steps } = trace
  const repeated = repeatedSideEffects(sideEffectsOf(steps, header.ambient?.names)).find(({ step }) => step === at)
  if (repeated !== undefined) return repeated.first
  const calls = new IncidentCalls(trace)
  const call = calls.standingFor(at)
  if (call === undefined) return 'input'
  const before = calls.steps.filter(({ step }) => step < call.step)
  const first = call.boundary === 'model' ? undefined : before.find((step) => isSameCall(calls, step, call))
  return (first ?? before.findLast(({ settledAt = Infinity }) => settledAt <= call.at))?.step ?? 'input'
}

/** The names of the writes that the recorded run made after the trigger, the incident's own left out. */
function laterWrites(calls: IncidentCalls, start: number, at: Step): string[] {
  const writes = calls.steps.filter((step) => step.step > start && calls.isWrite(step) && !isSameCall(calls, step, at))
  return [...new Set(writes.map(nameOfWrite))]
}

/** Writes are the same call whatever their arguments, anything else where it asks for the same. */
function isSameCall(calls: IncidentCalls, one: IncidentCall, other: IncidentCall): boolean {
  if (one.boundary !== other.boundary || one.name !== other.name) return false
  return calls.isWrite(other) ? nameOfWrite(one) === nameOfWrite(other) : canonical(one.input) === canonical(other.input)
}
