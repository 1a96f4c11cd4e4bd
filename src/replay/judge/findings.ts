import type { Contact } from '../../boundaries/contact/contact.ts'
import { ContactRefusedError } from '../../boundaries/contact/contact-refused-error.ts'
import type { Cause, Divergence } from '../../divergence/divergence.ts'
import { ValueComparison } from './value-comparison.ts'
import { callSite, captureTrail } from '../../run/call-site.ts'
import { canonical } from '../../trace/hash.ts'
import type { CheckpointRow, Settled } from '../../trace/rows.ts'
import { toRecorded } from '../../trace/values.ts'
import { comparableOutcome, isAsRecorded, noEnd, ownFailure, recordedOutcome } from './comparable-outcome.ts'
import { CallOrder } from './call-order.ts'
import type { CredentialCheck } from './credential-check.ts'
import type { OrderFault } from './order-fault.ts'
import { CheckpointPlaces, type SeenCalls } from './checkpoint-places.ts'
import type { Conductor } from '../engine/conductor.ts'
import { EndOrder } from './end-order.ts'
import { extraOfTwo } from './extra-of-two.ts'
import type { DivergenceFields, Finding, JudgedBy, UnequalCall } from './finding.ts'
import { asVerdict, byPlace, lastStepBefore, makeDivergence } from './finding.ts'
import { isLateRead } from '../calls/is-read.ts'
import type { ReplayCall } from '../calls/replay-call.ts'
import type { ReplayCheckpoint } from '../calls/replay-calls.ts'
import { type Plan, type PlannedCheckpoint, type PlannedStep, isNamed } from '../calls/plan.ts'
import { HiddenLines } from './hidden-lines.ts'
import type { LateCall } from '../contract/replayed-run.ts'
import type { TimeLimits } from './time-limits.ts'
import { PiecePlaces } from './piece-places.ts'
import { isAlike, UnequalCalls } from './unequal-calls.ts'

/** The dependencies of `Findings`. */
interface FindingsParts extends JudgedBy {
  readonly conductor: Conductor
  readonly limits: TimeLimits
  readonly isReplayed: boolean
}

/** Collects the differences between a replay and its trace. The one at the earliest place is the verdict, whichever was found first. */
export class Findings {
  stop: Finding | undefined
  /** The run ended as recorded. */
  outcomeHolds = false
  /** The recorded step at or after which a fork departed from its trace. */
  departedAt: number | undefined
  /** Calls that outlived the run and cannot be compared. */
  readonly lateCalls: LateCall[] = []
  readonly credentials: CredentialCheck
  /** Requests that another version of their client changed by itself. */
  readonly clientDrifts: Divergence[] = []
  readonly limits: TimeLimits
  readonly #end: EndOrder
  readonly #plan: Plan
  readonly #parts: FindingsParts
  readonly #found: Finding[] = []
  readonly order: CallOrder
  readonly calls: UnequalCalls
  /** Steps that were answered differently, so that they are not missing. */
  readonly #replaced = new Set<PlannedStep>()
  readonly #checkpoints: PlannedCheckpoint[]
  readonly places: CheckpointPlaces
  readonly pieces: PiecePlaces
  readonly #values: ValueComparison
  readonly lines: HiddenLines
  #furthest = 0
  #isSettled = false
  /** The outcome of an agent that waits for something that never happens: the reason for missing calls. */
  #stuck: { readonly received: unknown } | undefined
  /** The run is a fork that has left its trace. Nothing is compared from then on. */
  isFork = false

  constructor(parts: FindingsParts) {
    const { plan, conductor, limits, isReplayed } = parts
    this.credentials = parts.credentials
    this.#parts = parts
    this.#plan = plan
    this.#values = new ValueComparison(parts)
    this.order = new CallOrder(plan, conductor, !isReplayed, (call) => this.lines.want(call))
    this.limits = limits
    this.lines = limits.lines
    this.calls = new UnequalCalls({ ...parts, order: this.order, here: () => this.#here })
    this.#end = new EndOrder(plan)
    this.#checkpoints = [...plan.checkpoints]
    this.places = new CheckpointPlaces(plan)
    this.pieces = new PiecePlaces(plan)
  }

  /** A call was matched with a recorded step: checks its order. */
  made(call: ReplayCall, step: PlannedStep): void {
    this.#addFaults(this.order.make(call, step))
    this.#end.made(call, step)
    this.limits.meets(call, step)
    this.#furthest = Math.max(this.#furthest, step.place)
  }

  /** The current place: after everything that has been released or made. */
  get #here(): number {
    return Math.max(this.#parts.conductor.last.place, this.#furthest) + 0.5
  }

  /** Decides what an unequal call is: a changed form of a due step, or an additional call. @param repeated A step that an equal call has taken. */
  unequal(call: ReplayCall, due: readonly PlannedStep[], repeated?: PlannedStep): UnequalCall {
    const finding = this.calls.changed(call, due) ?? this.calls.unexpected(extraOfTwo(call, repeated, this.order, this.#found))
    // If something was made instead, it is the reason.
    if (finding.step !== undefined && !finding.isAllowed) this.#addFaults(this.order.change(call, finding.step))
    if (!finding.isAllowed) this.#found.push(finding)
    else if (finding.divergence.differences.some(({ part }) => part !== 'model')) this.clientDrifts.push(finding.divergence)
    return finding
  }

  /** A recorded step was answered differently. */
  replaced(step: PlannedStep): void {
    this.#replaced.add(step)
  }

  /** A step that had settled in the recording was not made in time. @param late The late call that shows it: the step's own, or another. */
  missed(step: PlannedStep, late?: ReplayCall): void {
    if (this.stop !== undefined || this.order.isMade(step) || this.#replaced.has(step)) return
    this.replaced(step)
    const own = late !== undefined && isAlike(step, late) ? late : undefined
    if (own !== undefined) own.trail ??= captureTrail()
    this.#add('missing-call', step, own ?? this.order.madeInstead(step), { expected: toRecorded(step.call.input) })
  }

  /**
   * A fork has reached its step.
   *
   * @returns Whether the fork must not continue, because it did not do what the recorded run had done by then.
   */
  reachFork(prefix: 'strict' | 'keep'): boolean {
    for (const step of this.#plan.steps.values()) this.missed(step)
    const [first] = this.#found.filter(({ divergence }) => prefix === 'strict' || divergence.cause !== 'input').toSorted(byPlace)
    if (first === undefined) this.beginFork()
    else this.stopAt(first)
    return first !== undefined
  }

  /** The run is a fork from here on. */
  beginFork(): void {
    this.isFork = true
    this.departedAt = this.#found.toSorted(byPlace)[0]?.divergence.step
  }

  /** A fork does not answer a call. */
  refused({ boundary, name, input, trail }: ReplayCall, reason: string): Finding {
    const fields = { step: this.#lastStep(), position: 'after', boundary, name, received: input?.value, reason, site: trail } as const
    return this.#find(this.#plan.endPlace, 'unexpected-call', fields)
  }

  /** Adds any other difference. */
  add(finding: Finding): void {
    this.#found.push(finding)
  }

  /** The run breaks off here, so later steps are not missing. Returns the divergence to report if there is no other. */
  cut(): Divergence {
    const divergence = this.#noEnd()
    this.stopAt({ place: this.#plan.endPlace, divergence })
    return divergence
  }

  stopAt(finding: Finding): void {
    this.stop ??= finding
  }

  /** A contact that no boundary answers, reported once per door and host. Returns the error to refuse it with. */
  contact(contact: Contact, lost: Pick<Divergence, 'isLost'> = {}): ContactRefusedError {
    const site = contact.door === 'native' ? undefined : captureTrail()
    const name = `${contact.door} ${contact.host}`
    const isKnown = this.#found.some(({ divergence }) => divergence.cause === 'unrecorded-contact' && divergence.name === name)
    if (this.stop === undefined && !isKnown) {
      const finding = this.#find(this.#here, 'unrecorded-contact', { step: this.#lastStep(), position: 'after', name, site, ...lost })
      if (this.#parts.settings.mode !== 'continue') this.stopAt(finding)
    }
    return new ContactRefusedError(contact, 'replay', site && callSite((site.plain ?? site).stack))
  }

  /** The agent reached a checkpoint. Returns the recorded one that it matches, if any. */
  checkpoint(live: ReplayCheckpoint, calls: SeenCalls): CheckpointRow | undefined {
    if (this.stop !== undefined || this.isFork) return undefined
    const index = this.#checkpoints.findIndex(
      ({ row }) => row.owner === live.owner && isNamed(row.name, live.name, this.#parts.redaction.renaming.sides),
    )
    const [recorded] = index === -1 ? [] : this.#checkpoints.splice(index, 1)
    const overtakers = recorded === undefined ? [] : this.order.reach(recorded)
    if (recorded !== undefined) this.#parts.conductor.reach(recorded.row)
    const received = this.#values.compared({ state: toRecorded(live.state) }).state
    if (recorded === undefined) {
      const fields = { step: this.#lastStep(), position: 'after', name: live.name, received, site: captureTrail() } as const
      this.#find(this.#here, 'checkpoint', fields)
      return undefined
    }
    const expected = this.#values.compared({ state: toRecorded(recorded.row.state) }).state
    if (this.#values.isSame(expected, received, recorded.place)) {
      this.places.reach(recorded, calls, this.order, overtakers)
      return recorded.row
    }
    const fields = { step: lastStepBefore(this.#plan, recorded.place), position: 'after', name: live.name, site: captureTrail() } as const
    const differences = this.#values.differences(expected, received, 'state', recorded.place)
    this.#find(recorded.place, 'checkpoint', { ...fields, expected, received, differences })
    return undefined
  }

  /** The agent has ended, or was stopped. Returns all differences, the earliest first. */
  finish(outcome: Settled | undefined): Divergence[] {
    if (this.isFork) return asVerdict(this.#found)
    const stopped = this.stop !== undefined
    const failure = stopped ? {} : (this.#stuck ?? ownFailure(outcome, this.#plan.end, this.#parts.redaction))
    for (const step of this.#plan.steps.values()) {
      if (this.order.isMade(step) || this.#replaced.has(step) || isLateRead(this.#plan, step)) continue
      if (stopped && !this.order.isPassedOver(step)) continue
      const call = this.order.madeInstead(step)
      const instead = (call?.planned ?? call?.heldAgainst)?.call.step ?? 0
      const why = stopped ? failure : { ...failure, ...this.limits.afterWatch(step, this.#plan) }
      const left = { expected: toRecorded(step.call.input), site: this.order.wentOnAt(step), ...(instead > step.call.step && { instead }) }
      this.#add('missing-call', step, call, { ...left, ...why })
    }
    for (const places of [this.places, this.pieces]) this.#found.push(...places.findings((place) => lastStepBefore(this.#plan, place)))
    if (!stopped) {
      for (const { place, row } of this.#checkpoints) {
        const step = lastStepBefore(this.#plan, place)
        this.#find(place, 'checkpoint', { step, position: 'after', name: row.name, expected: toRecorded(row.state) })
      }
      if (outcome !== undefined) this.settle(outcome)
    }
    const stuckAt = outcome === undefined && this.#plan.end !== undefined ? (this.stop?.place ?? Infinity) : undefined
    return asVerdict(
      [
        ...this.#found,
        ...this.limits.findings(stuckAt, this.outcomeHolds ? this.#plan.endPlace : undefined),
        ...(this.outcomeHolds ? this.#end.found : []),
      ].map((finding) => this.lines.lined(finding)),
    )
  }

  /** The agent has just returned or thrown. If it has done its own work since the last answer, the recording does not say what it waited for. */
  end(hasWorked: boolean): void {
    if (this.stop === undefined) this.limits.ends(this.#plan.endPlace)
    if (!hasWorked) this.#end.reach(this.#parts.conductor.last.place)
  }

  /** Compares the outcome now, because work that outlives the run may change the returned value. */
  settle(outcome: Settled): void {
    if (this.#isSettled || this.stop !== undefined) return
    this.#isSettled = true
    this.#outcome(outcome)
  }

  /** The agent is waiting for something that will never happen. A recorded run without an end did the same. */
  stuck(waitsFor: readonly string[]): void {
    if (this.#plan.end === undefined) return
    this.#stuck = { received: { never: 'settled', waitsFor } }
    if (this.#found.length === 0) this.#found.push({ place: this.#plan.endPlace, divergence: this.#noEnd(this.#stuck.received) })
  }

  #noEnd(received?: unknown): Divergence {
    return noEnd(this.#plan, this.#parts.redaction, this.#lastStep(), received)
  }

  #outcome(outcome: Settled): void {
    const { end, endPlace: place } = this.#plan
    if (end === undefined) return
    if (isAsRecorded(outcome, end) && this.#parts.draws.areSame(() => canonical(toRecorded(end.output)), place))
      return void (this.outcomeHolds = true)
    const expected = this.#values.compared(recordedOutcome(end, this.#parts.redaction.standIns))
    const received = this.#values.compared(comparableOutcome(outcome, this.#parts.redaction))
    this.outcomeHolds = this.#values.isSame(expected, received, place)
    if (this.outcomeHolds) return
    const differences = this.#values.differences(expected, received, '', place)
    const { site } = ownFailure(outcome, end, this.#parts.redaction)
    const fields = { step: this.#lastStep(), position: 'after', expected, received, differences, ...(site && { site }) } as const
    if (this.#parts.draws.areDurations(differences)) this.#found.push(...this.#end.found)
    this.#find(place, 'outcome', fields)
  }

  #addFaults(faults: readonly OrderFault[]): void {
    for (const { step, call, before, follows } of faults) {
      this.lines.want(call)
      this.limits.precedes(call, before)
      const early = follows === undefined ? {} : { expected: { follows }, received: { precedes: follows } }
      this.#add('order', step, call, before === undefined ? early : { before: before.call.step })
    }
  }

  #add(cause: Cause, step: PlannedStep, call: ReplayCall | undefined, fields: Partial<DivergenceFields>): void {
    const { step: number, boundary, name } = step.call
    this.lines.names(this.#find(step.place, cause, { step: number, position: 'at', boundary, name, site: call?.trail, ...fields }), call)
  }

  #find(place: number, cause: Cause, fields: DivergenceFields): Finding {
    const finding = { place, divergence: makeDivergence(cause, fields) }
    this.#found.push(finding)
    return finding
  }

  #lastStep(): number {
    return lastStepBefore(this.#plan, this.#here)
  }
}
