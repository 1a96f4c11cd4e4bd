import { soon } from '../../node/microtask.ts'
import { captureTrail, type Trail } from '../../run/call-site.ts'
import { knownOrMade } from '../../trace/remember.ts'
import type { Conductor } from '../engine/conductor.ts'
import { AtOnceOrder, type MadeStep } from './at-once-order.ts'
import { ChannelOrder } from './channel-order.ts'
import { areTogether, mayRaceWork, type SeenRun } from './follows-on.ts'
import type { OrderFault } from './order-fault.ts'
import { areOfSeveral } from '../engine/tick-sources.ts'
import type { ReplayCall } from '../calls/replay-call.ts'
import type { WorkStart } from '../engine/own-work.ts'
import type { Plan, PlannedCheckpoint, PlannedStep, PlannedTick } from '../calls/plan.ts'

/** The progress of a replay, and the calls just made: events within the same turn of the event loop may race. */
export interface Moment {
  /** The last tick released. */
  readonly last: PlannedTick
  readonly young: ReadonlySet<ReplayCall>
  /** If the run's own work has finished since that tick: where that work began. */
  readonly behindWork: WorkStart | undefined
}

/** Shared by nearly all calls. */
const noFaults: readonly OrderFault[] = []

/**
 * Checks the calls of a replay against the partial order of the recording: A precedes B only if A had settled when B started. Concurrent
 * calls may start in any order, except for two writes.
 */
export class CallOrder {
  readonly #plan: Plan
  readonly #conductor: Conductor
  readonly #made = new Map<PlannedStep, ReplayCall>()
  /** For each step not yet made: the steps that were made although it should have settled, or started, before them. */
  readonly #overtaken = new Map<PlannedStep, Overtaker[]>()
  readonly #toldLate = new Set<PlannedStep>()
  /** For each step that was passed over: the first call that the agent made instead. */
  readonly #instead = new Map<PlannedStep, ReplayCall>()
  /** For each step that was passed over: where the agent reached a checkpoint instead. */
  readonly #reachedInstead = new Map<PlannedStep, Trail>()
  readonly #inPlace: readonly PlannedStep[]
  /** How many steps in place were made or passed over. */
  #reached = 0
  /** Steps that were made with a different input. */
  readonly #changed: PlannedStep[] = []
  readonly #channels: ChannelOrder
  readonly #atOnce: AtOnceOrder
  readonly #young = new Set<ReplayCall>()
  /** For each call: the calls that were young when it was made. */
  readonly #beside = new WeakMap<ReplayCall, ReadonlySet<ReplayCall>>()
  /** Whether the plan has steps for which young calls matter. */
  readonly #mayBeYoung: boolean
  readonly #goesOn: (call: ReplayCall) => void
  readonly seen: SeenRun

  /**
   * @param knowsAges Whether the ages of calls are known. The trace of a replay does not say which calls were young.
   * @param goesOn Told of each call that is made although steps before it were not.
   */
  constructor(plan: Plan, conductor: Conductor, knowsAges: boolean, goesOn: (call: ReplayCall) => void) {
    this.#goesOn = goesOn
    this.#plan = plan
    this.#inPlace = [...plan.steps.values()].toSorted((one, other) => one.place - other.place)
    this.#conductor = conductor
    this.seen = { ticks: plan.ticks, callOf: (step) => this.callOf(step) }
    this.#channels = new ChannelOrder(plan, conductor)
    this.#atOnce = new AtOnceOrder(plan, conductor)
    this.#mayBeYoung = knowsAges && [...plan.steps.values()].some(({ mayBeInTurn }) => mayBeInTurn === true)
  }

  /** The current moment, for events without an enforced order. */
  get now(): Moment {
    return { last: this.#conductor.last, young: new Set(this.#young), behindWork: this.#conductor.behindWork() }
  }

  isMade(step: PlannedStep): boolean {
    return this.#made.has(step)
  }

  /**
   * Where the agent went on instead of making a step: the first call that was made although the step had not been made, whose stack is kept. If the
   * run ended without a further call, the last one before its end.
   */
  madeInstead(step: PlannedStep): ReplayCall | undefined {
    return this.#instead.get(step) ?? [...this.#made.values()].filter(({ isLate }) => !isLate).toSorted((a, b) => b.number - a.number)[0]
  }

  /** The position of the agent where it went on instead of making a step: at a later call, at a later checkpoint, or at the last call before its end. */
  wentOnAt(step: PlannedStep): Trail | undefined {
    return (this.#instead.has(step) ? undefined : this.#reachedInstead.get(step)) ?? this.madeInstead(step)?.trail
  }

  /** The place of a call that the trace does not have: after what had reached the run when it was made, and the steps made before it. */
  placeOf({ number, madeAt }: ReplayCall): number {
    let place = madeAt
    for (const [step, call] of this.#made) if (call.number < number) place = Math.max(place, step.place)
    return place + 0.5
  }

  /**
   * Whether a step that was not made before a stop was left out. Steps that might still have come are not missing. A step was left out if a
   * later one was made, or if it was given up on and no running timer may lead to it.
   */
  isPassedOver(step: PlannedStep): boolean {
    if ([...this.#made.keys(), ...this.#changed].some((made) => followed(step, made))) return true
    return this.#conductor.isAside(step) && !this.#conductor.newTimers.mayStillCome(step)
  }

  /** A call was matched with a step although its input differs. Returns a fault if that step was already given up on. */
  change(call: ReplayCall, step: PlannedStep): OrderFault[] {
    this.#changed.push(step)
    this.#passOver(call, step)
    return this.late(call, step)
  }

  /**
   * The agent makes a call. The call is young until the microtasks queued before it have run: no function can have answered it before that.
   * The currently young calls are remembered until this call is matched with a step.
   */
  hear(call: ReplayCall): void {
    if (!this.#mayBeYoung) return
    this.#beside.set(call, new Set(this.#young))
    this.#young.add(call)
    soon(() => this.#young.delete(call))
  }

  /** A call was matched with a recorded step. Returns what is out of order because of it. */
  make(call: ReplayCall, step: PlannedStep): readonly OrderFault[] {
    this.#passOver(call, step)
    const faults = this.#conductor.isAside(step) ? this.late(call, step) : this.#outOfTurn(call, step)
    this.#made.set(step, call)
    const [ofChannel, atOnce] = [this.#channels.make(call, step), this.#atOnce.make(call, step)]
    return [faults, ofChannel, atOnce].find((found) => found.length > 0) ?? noFaults
  }

  /** A recorded checkpoint was reached. Returns the calls that were made before it but recorded after it. */
  reach(checkpoint: PlannedCheckpoint): readonly MadeStep[] {
    this.#leaveOutBefore(checkpoint.place)
    return this.#atOnce.reach(checkpoint)
  }

  /** Returns a fault if a step that was given up on is made after all. */
  late(call: ReplayCall, step: PlannedStep): OrderFault[] {
    if (!this.#conductor.isAside(step) || this.#toldLate.has(step)) return []
    this.#toldLate.add(step)
    const overtaker = this.#overtaken.get(step)?.[0]?.step
    if (overtaker === undefined && this.#conductor.newTimers.isDelayed(step)) return []
    const instead = overtaker ?? this.#firstMadeAfter(step)
    return [{ step, call, ...(instead && { before: instead }) }]
  }

  /** Steps that are not made before a checkpoint may be left out. The position of the agent is not known later. */
  #leaveOutBefore(place: number): void {
    let trail: Trail | undefined
    for (let index = this.#reached; (this.#inPlace[index]?.place ?? Infinity) < place; index += 1) {
      const step = this.#inPlace[index]
      if (step === undefined || this.#made.has(step) || this.#reachedInstead.has(step)) continue
      trail ??= captureTrail()
      this.#reachedInstead.set(step, trail)
    }
  }

  #passOver(call: ReplayCall, step: PlannedStep): void {
    for (let next = this.#inPlace[this.#reached]; next !== undefined && next.place <= step.place; next = this.#inPlace[this.#reached]) {
      this.#reached += 1
      if (next === step || this.#made.has(next)) continue
      this.#instead.set(next, call)
      this.#goesOn(call)
    }
  }

  /** The call that was matched with a step. */
  callOf(step: number): ReplayCall | undefined {
    const planned = this.#plan.steps.get(step)
    return planned && this.#made.get(planned)
  }

  #outOfTurn(call: ReplayCall, step: PlannedStep): readonly OrderFault[] {
    const overtakers = this.#overtaken.get(step)
    const early = this.#early(call, step)
    return overtakers === undefined ? early : [...this.#overtakenBy(call, step, overtakers), ...early]
  }

  /** The calls that were made before this one and should not have been. How long the run's own work takes is a matter of speed. */
  #overtakenBy(call: ReplayCall, step: PlannedStep, overtakers: readonly Overtaker[]): OrderFault[] {
    // Within one turn, only calls made together count. Otherwise the two followed from different completions.
    const faults = overtakers.filter(({ turn, call: other }) => {
      if (mayRaceWork(call, other, this.seen)) return false
      if (turn !== step.settledTurn) return true
      return other.madeAt === call.madeAt && (step.mayBeInTurn !== true || this.#beside.get(call)?.has(other) === true)
    })
    return faults.map((overtaker) => ({ step: overtaker.step, call: overtaker.call, before: step }))
  }

  /** Steps that should have settled before this call but have not, and writes that should have started before it. */
  #early(call: ReplayCall, step: PlannedStep): readonly OrderFault[] {
    const isDue = this.#conductor.isDue(step)
    if (isDue && step.call.effect !== 'write') return noFaults
    let fault: OrderFault | undefined
    for (const earlier of this.#plan.steps.values()) {
      if (earlier.place >= step.place) break
      const made = this.#made.get(earlier)
      const precedes = !isDue && this.#precedes(earlier, step)
      if (made === undefined) {
        if (precedes || areWrites(earlier, step))
          knownOrMade(this.#overtaken, earlier, () => []).push({ step, call, turn: this.#conductor.last.turn })
      } else if (precedes && made.state === 'open' && !this.#raced(call, earlier, made)) fault ??= { step, call, before: earlier }
    }
    return fault === undefined ? noFaults : [fault]
  }

  #precedes(earlier: PlannedStep, step: PlannedStep): boolean {
    if (earlier.settledPlace === undefined || earlier.settledPlace > step.place || this.#conductor.isPassed(earlier)) return false
    // A call after a removed sleep came after whatever had settled when the sleep began. The rest was a matter of time.
    const { calledBy } = step
    return calledBy === undefined || this.#conductor.isWaitingFor(calledBy.timer) || (earlier.settledTick ?? 0) <= calledBy.since
  }

  /**
   * Whether a call may follow from something other than the earlier step: from the run's own work, or from a different completion that settled
   * within the same turn of the event loop. The number of microtasks in between is not an order to enforce.
   */
  #raced(call: ReplayCall, earlier: PlannedStep, made: ReplayCall): boolean {
    if (call.behindWork !== undefined && !areTogether(call, made)) return true
    // It may have settled during an independent chain of microtasks.
    if (earlier.mayBeInTurn === true && this.#beside.get(call)?.has(made) !== true) return true
    return earlier.settledTurn === this.#conductor.last.turn && (made.madeAt < call.madeAt || areOfSeveral(this.#conductor.last.rows))
  }

  #firstMadeAfter(step: PlannedStep): PlannedStep | undefined {
    return [...this.#made.keys()].filter((made) => made.place > step.place).toSorted((a, b) => a.place - b.place)[0]
  }
}

/**
 * Whether a step followed another in the recording: the other had settled when it was called, or, if a timer called it, when the timer was
 * set. The rest was a matter of time.
 */
function followed({ settledPlace = Infinity, settledTick = 0 }: PlannedStep, { place, calledBy }: PlannedStep): boolean {
  return settledPlace < place && (calledBy === undefined || settledTick <= calledBy.since)
}

/** A call that was made before one that should have preceded it, and the recorded turn of the event loop it was made in. */
interface Overtaker {
  readonly step: PlannedStep
  readonly call: ReplayCall
  readonly turn: number
}

function areWrites(...steps: readonly PlannedStep[]): boolean {
  return steps.every((step) => step.call.effect === 'write')
}
