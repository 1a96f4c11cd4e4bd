import type { Divergence, FieldDifference } from '../../../divergence/divergence.ts'
import type { ReplayCall } from '../../calls/replay-call.ts'
import { RecordedInput } from '../../calls/replayed-input.ts'
import { nameOfWrite } from '../../../trace/side-effects.ts'
import type { KnownStandIns } from '../../../divergence/stand-ins.ts'
import { standInsOf } from '../../../redaction/trace-stand-ins.ts'
import type { PathRules } from '../../../divergence/path-rules.ts'
import type { Plan, PlannedStep } from '../../calls/plan.ts'
import { type Departure, type Incident, incidentOf } from './incident.ts'
import { type IncidentCall, asksForTheLike, wireKeyOf } from './incident-calls.ts'
import { quoteForShell } from '../../../divergence/report/next-commands.ts'
import { warn } from '../../../run/tell.ts'
import { ownCommand } from '../../../stores/package-manager.ts'
import type { RunRow } from '../../../trace/run-row.ts'
import type { Trace } from '../../../trace/trace.ts'

/** Why a call ends the replay of an incident. */
export type IncidentStop =
  /** The incident's call was made again. */
  | 'repeated'
  /** A write that was not as recorded before the trigger, or is not allowed after it. */
  | 'write'
  /** A call without an answer. */
  | 'unanswered'

/** The result of replaying an incident golden. */
export interface IncidentRun {
  readonly incident: Incident
  /** The trigger was made, and its recorded outcome reached the agent. */
  readonly exercised: boolean
  /** What ended the replay before the agent did, if anything. */
  readonly stop?: { readonly why: IncidentStop; readonly divergence: Divergence }
  /** Calls that differ from the recorded ones and were answered as recorded. */
  readonly drift: readonly Divergence[]
  /** The incident's request was made again with the idempotency key of the first. */
  readonly repeatedSafely: boolean
  /** Writes that the recorded run made before the trigger and this one did not make as recorded. */
  readonly writesLeftOut: readonly number[]
}

/**
 * Follows a replay of an incident golden: up to the trigger, recorded answers win; after it, the incident's call must not be made again.
 */
export class IncidentWatch {
  readonly #incident: Incident
  readonly #at: RecordedInput
  readonly #drift: Divergence[] = []
  /** Places that differ in the same way as an earlier call's. */
  readonly #known = new Set<string>()
  readonly #made = new Map<number, ReplayCall>()
  #stop: IncidentRun['stop']
  #times = 0
  #isSafe = false

  constructor(incident: Incident, at: PlannedStep, rules: PathRules, standIns: KnownStandIns) {
    this.#incident = incident
    this.#at = new RecordedInput(at.call, rules, standIns)
  }

  /** A call was matched with a recorded step. */
  made(call: ReplayCall, step: PlannedStep): void {
    this.#made.set(step.call.step, call)
  }

  /** Why a call must not be made at all; checked before it is matched. Counts the incident's own calls. */
  refuses(call: ReplayCall): IncidentStop | undefined {
    if (!this.#isTriggered || call.runs) return undefined
    if (this.#isIncident(call)) {
      this.#times += 1
      if (this.#times < this.#incident.times || this.#incident.times === 0) return undefined
      this.#isSafe = this.#isRepeatedSafely(call)
      return this.#isSafe ? undefined : 'repeated'
    }
    return this.#isWrite(call) && !this.#incident.allowWrites.has(nameOfWrite(toCall(call))) ? 'write' : undefined
  }

  /** The untaken recorded step of the call's name whose answer the call gets although its input differs. */
  counterpartOf(
    call: ReplayCall,
    untaken: readonly PlannedStep[],
    differencesFrom: (step: PlannedStep) => readonly FieldDifference[],
  ): PlannedStep | undefined {
    const { trigger } = this.#incident
    if (this.#isWrite(call)) return untaken.find((step) => this.#mayWrite(step) && differencesFrom(step).every(isKey))
    if (trigger !== 'input' && !this.#isDelivered) {
      const before = untaken.find((step) => step.call.step <= trigger.step && asksForTheLike(toCall(call), step.call))
      if (before !== undefined) return before
    }
    return untaken.find((step) => differencesFrom(step).every((difference) => this.#known.has(keyOf(difference))))
  }

  /** A call was answered as recorded, though its input differs. */
  drifts(divergence: Divergence): void {
    this.#drift.push(divergence)
    for (const difference of divergence.differences) this.#known.add(keyOf(difference))
  }

  /** The replay ends here. */
  stopAt(why: IncidentStop, divergence: Divergence): void {
    this.#stop ??= { why, divergence }
  }

  /** Why a call without a counterpart ends the replay. */
  reasonAgainst(call: ReplayCall): IncidentStop {
    return this.#isWrite(call) && !this.#isTriggered ? 'write' : 'unanswered'
  }

  /** Whether a call without a counterpart may be answered: a write before the trigger has to be as recorded. */
  mayAnswer(call: ReplayCall): boolean {
    return this.reasonAgainst(call) === 'unanswered'
  }

  /** The overall result. */
  get result(): IncidentRun {
    const incident = this.#incident
    const writesLeftOut = incident.writesBefore.flatMap(({ step }) => (this.#made.has(step) ? [] : [step]))
    return {
      incident,
      exercised: this.#isDelivered,
      ...(this.#stop && { stop: this.#stop }),
      drift: this.#drift,
      repeatedSafely: this.#isSafe,
      writesLeftOut,
    }
  }

  /** The trigger was made. */
  get #isTriggered(): boolean {
    const { trigger } = this.#incident
    return trigger === 'input' || this.#made.has(trigger.step)
  }

  /** Its outcome reached the agent. */
  get #isDelivered(): boolean {
    const { trigger } = this.#incident
    return trigger === 'input' || this.#made.get(trigger.step)?.state === 'settled'
  }

  #isWrite(call: ReplayCall): boolean {
    return !call.runs && this.#incident.calls.isWrite(toCall(call))
  }

  /** If arguments matter, a write is the incident's call only if its arguments are the same. A model call never is. */
  #isIncident(call: ReplayCall): boolean {
    const { at, repeats, calls } = this.#incident
    if (call.boundary !== at.boundary || call.name !== at.name || call.boundary === 'model') return false
    if (calls.isWrite(at) && repeats) return nameOfWrite(toCall(call)) === nameOfWrite(at)
    return call.input?.blanked.text === this.#at.blanked.text
  }

  #isRepeatedSafely(call: ReplayCall): boolean {
    const { trigger, sharedKey } = this.#incident
    const first = trigger === 'input' ? undefined : this.#made.get(trigger.step)
    const key = wireKeyOf(toCall(call))
    return !sharedKey && key !== undefined && first !== undefined && key === wireKeyOf(toCall(first))
  }

  /** The trigger's request may now have an idempotency key. If so, the incident's call has to have the same key. */
  #mayWrite({ call: { step } }: PlannedStep): boolean {
    const { trigger, at } = this.#incident
    return trigger !== 'input' && (step === trigger.step || (step === at.step && this.#isSafe))
  }
}

/** Creates the watch of an incident golden; undefined for other goldens, and if the trace lacks the steps that the golden names. */
export function watchIncident(
  trace: Trace,
  plan: Plan,
  { departure, rules }: { readonly departure?: Departure; readonly rules: PathRules },
): IncidentWatch | undefined {
  const incident = departure === undefined ? undefined : incidentOf(trace, departure)
  const at = incident && plan.steps.get(incident.at.step)
  if (departure === undefined || incident === undefined || at === undefined) return undefined
  tellDefaultTrigger(trace.header, departure, incident)
  return new IncidentWatch(incident, at, rules, standInsOf(trace))
}

function toCall({ boundary, name, effect, input }: ReplayCall): IncidentCall {
  return { boundary, name, effect, input: input?.value }
}

function isKey({ path }: FieldDifference): boolean {
  return path === 'headers["idempotency-key"]'
}

/** Equal for the same change in any item of a list. */
function keyOf({ path, expected, received }: FieldDifference): string {
  return JSON.stringify([path.replaceAll(/\[\d+\]/g, '[*]'), [expected], [received], expected === undefined, received === undefined])
}

/** Goldens that were already reported in this process. */
const told = new Set<string>()

/** Warns once about a golden without a trigger (earlier versions wrote such goldens), and names the assumed step. */
function tellDefaultTrigger({ golden, id }: RunRow, departure: Departure, { trigger }: Incident): void {
  const name = golden?.name ?? id
  if (departure.trigger !== undefined || told.has(name)) return
  told.add(name)
  const step = trigger === 'input' ? trigger : trigger.step
  const rest = `promote ${quoteForShell(golden?.promotedFrom ?? id)} --name ${quoteForShell(name)} --incident ${departure.at} --trigger ${step} --force`
  warn(
    `The golden "${name}" does not say what triggered its incident: ${trigger === 'input' ? 'its input' : `step ${step} (${trigger.name})`} is assumed. ` +
      `To confirm it or to name another step, promote its recording again: ${ownCommand(rest)}`,
    'GoldenrunWarning',
  )
}
