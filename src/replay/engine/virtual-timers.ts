import { throwUncaught } from '../../node/throw-uncaught.ts'
import type { RunTimer } from '../../run/active-run.ts'
import { ledBack, type Trail } from '../../run/call-site.ts'
import { bindContext } from '../../run/scope.ts'
import type { CompletionRow, TimerKey, TimerRow } from '../../trace/rows.ts'
import type { PlannedTick } from '../calls/plan.ts'
import type { FiredTimer, ReplayCall } from '../calls/replay-call.ts'
import { LimitStacks, type RecordedTimers } from './limit-stacks.ts'
import { Occurrences } from './occurrences.ts'
import type { WorkStart } from './own-work.ts'

/** The delay of timers with which clients start their work, in milliseconds: `setTimeout(start, 0)`. Longer ones are mostly time limits. */
const AT_ONCE = 1

/** A timer that fires within this many milliseconds before an answer may as well have fired after it: clocks are not more precise. */
export const tolerance = 2

/** A timer of a replay. */
export class VirtualTimer implements RunTimer {
  active = true
  /** In virtual milliseconds since the run started. */
  due = 0
  /** How much later than in the recording it was armed, if the trace has its firing. */
  shift = 0
  /** Its position in the order in which all timers were armed. */
  order = 0
  /** The progress of the replay when it was armed: a place in the trace, and how many ticks it had seen. */
  place = 0
  set = 0
  /** How many calls had been made before it was armed. */
  callsBefore = 0
  /** The timer after whose firing it was armed, before anything else reached the run. */
  after: FiredTimer | undefined
  /** Where it was set, if a verdict may have to name that. */
  trail: Trail | undefined
  /** The chain that its firing continues. */
  chain: TimerChain = { first: 0, settledPlace: -1 }
  /** Where the run's own work began that it was armed behind. How long that took is unknown, so it may be due later than it seems. */
  behindWork: WorkStart | undefined
  /** Parts of its key, in addition to its delay: the recorded owner, and the tick in which it was armed. */
  recordedOwner = 0
  tick = 0
  /** Its number among those with the same owner, tick and delay, from 1. */
  occurrence = 1
  /** The same by the ticks that the replay itself has seen. A fork has more of these than its trace. */
  occurrenceInSet = 1
  readonly owner: number
  readonly delay: number
  readonly repeats: boolean
  readonly #timers: VirtualTimers
  readonly #fire: () => void
  readonly #log: FiringLog | undefined
  #key: string | undefined

  /** @param log Receives each firing before it happens. Default: none. */
  constructor(timers: VirtualTimers, owner: number, delay: number, repeats: boolean, fire: () => void, log?: FiringLog) {
    this.#log = log
    this.#timers = timers
    this.owner = owner
    this.delay = delay
    this.repeats = repeats
    this.#fire = bindContext(delay <= AT_ONCE ? ledBack(fire) : fire)
    timers.arm(this)
  }

  /** The key of its recorded firing. Computed lazily: most timers are time limits that are cleared early. */
  get key(): string {
    return (this.#key ??= timerKey(this.recordedOwner, this.tick, this.delay, this.occurrence))
  }

  /** Whether the trace may have its firing. */
  get isKeyed(): boolean {
    return true
  }

  /** The call that it limits, if known. */
  get limited(): ReplayCall | undefined {
    return undefined
  }

  /** Whether the recorded run had the limit too, and continued beyond it. */
  get neverFired(): boolean {
    return false
  }

  /** Whether it fires before a tick that it was not recorded with. @param arrival When the tick comes, by the replay's clock. */
  isDueBefore(_tick: Pick<PlannedTick, 'place'>, arrival: number): boolean {
    return this.due < arrival - tolerance
  }

  cancel(): void {
    this.active = false
    this.#timers.disarm(this)
  }

  refresh(): void {
    this.#timers.disarm(this)
    this.active = true
    this.#arm()
  }

  reference(): void {
    // Timers do not keep the process alive in a replay.
  }

  fire(): void {
    this.#log?.fired(this)
    this.#timers.disarm(this)
    if (this.repeats) this.#arm()
    else this.active = false
    try {
      this.#fire()
    } catch (error) {
      throwUncaught(error)
    }
  }

  #arm(): void {
    this.#key = undefined
    this.#timers.arm(this)
  }
}

/** Events that follow from a timer: later timers, and calls that came late because of it, with their answers. */
export interface TimerChain {
  /** The position of its first timer in the order in which all timers were armed. */
  readonly first: number
  /** The place in the trace where the last of its calls settled; -1 if there was none. */
  readonly settledPlace: number
}

/** Logs firings. */
export interface FiringLog {
  fired(timer: VirtualTimer): void
}

/** The progress of the replay, as needed by timers. */
export interface Progress extends RecordedTimers {
  /** The ordinal of the last tick released. */
  tick(): number
  /** The place in the trace of the last completion released. */
  place(): number
  /** In virtual milliseconds since the run started. */
  now(): number
  /** How much later it is than when the last recorded event came about in the recording. */
  shift(): number
  /** How many ticks the replay itself has seen. */
  seen(): number
  /** The calls so far. */
  calls(): readonly ReplayCall[]
  /** The additional timer that the run continues from, if nothing else has reached it since. */
  after(): FiredTimer | undefined
  /** The chain that the run continues, if nothing else has reached it since. */
  chain(): TimerChain | undefined
  /** If the run continues from its own work: where that work began. */
  behindWork(): WorkStart | undefined
  /** Whether the agent has returned or thrown. */
  finished(): boolean
  /** The recorded step number of an owner. */
  recordedOwner(owner: number): number
}

/**
 * The pending timers of a replay, identified as in the trace: by owner, the tick in which they were set, delay, and occurrence among equal
 * ones.
 */
export class VirtualTimers {
  readonly #progress: Progress
  /** Pending timers: those indexed by key, and those armed since. */
  readonly #known = new Map<string, VirtualTimer>()
  readonly #new = new Set<VirtualTimer>()
  readonly #recorded = new Occurrences()
  readonly #seen = new Occurrences()
  readonly #stacks: LimitStacks
  #armed = 0
  /** No pending timer is due before this. */
  #soonest = Infinity

  constructor(progress: Progress) {
    this.#progress = progress
    this.#stacks = new LimitStacks(progress)
  }

  arm(timer: VirtualTimer): void {
    const tick = this.#progress.tick()
    const owner = this.#progress.recordedOwner(timer.owner)
    timer.recordedOwner = owner
    timer.tick = tick
    timer.due = this.#progress.now() + timer.delay
    timer.shift = this.#progress.shift()
    timer.order = this.#armed += 1
    timer.place = this.#progress.place()
    timer.set = this.#progress.seen()
    if (timer.isKeyed) {
      timer.trail = this.#stacks.of(timer)
      timer.occurrence = this.#recorded.count(tick, owner, timer.delay)
      timer.occurrenceInSet = this.#seen.count(timer.set, owner, timer.delay)
    }
    timer.callsBefore = this.#progress.calls().length
    timer.after = this.#progress.after()
    // Each firing of an interval is for itself.
    timer.chain = (timer.repeats ? undefined : this.#progress.chain()) ?? { first: timer.order, settledPlace: -1 }
    timer.behindWork = this.#progress.behindWork()
    this.#soonest = Math.min(this.#soonest, timer.due)
    this.#new.add(timer)
  }

  disarm(timer: VirtualTimer): void {
    if (!this.#new.delete(timer) && this.#known.get(timer.key) === timer) this.#known.delete(timer.key)
  }

  /** Whether timers that fire now outlived the run. */
  get isLate(): boolean {
    return this.#progress.finished()
  }

  /** The calls of the run that are in progress. */
  get openCalls(): ReplayCall[] {
    return this.#progress.calls().filter(({ state }) => state === 'open')
  }

  /** The pending timers. */
  get waiting(): VirtualTimer[] {
    return [...this.#known.values(), ...this.#new]
  }

  /** How many timers have been armed so far. */
  get armed(): number {
    return this.#armed
  }

  /** The pending timer of a recorded firing. */
  find(row: TimerRow): VirtualTimer | undefined {
    for (const timer of this.#new) this.#known.set(timer.key, timer)
    this.#new.clear()
    return this.#known.get(keyOf(row))
  }

  /** When the first pending timer is due that completions of the recording fire; undefined if there is none. */
  dueOf(rows: readonly CompletionRow[]): number | undefined {
    const dues = rows.flatMap((row) => (row.kind === 'timer' ? (this.find(row)?.due ?? []) : []))
    return dues.length === 0 ? undefined : Math.min(...dues)
  }

  /** Whether any pending timer is due before a moment. */
  isAnyDueBefore(moment: number): boolean {
    if (this.#soonest >= moment) return false
    this.#soonest = this.waiting.reduce((soonest, { due }) => Math.min(soonest, due), Infinity)
    return this.#soonest < moment
  }

  /** Whether any pending timer satisfies a condition. */
  some(is: (timer: VirtualTimer) => boolean): boolean {
    return this.waiting.some(is)
  }

  /** The timer that is due first after a moment, of those that fire once. */
  firstAfter(moment: number): VirtualTimer | undefined {
    return this.earliest(({ due, repeats }) => due > moment && !repeats)
  }

  /** The timer that is due first, among those that fit. */
  earliest(fits: (timer: VirtualTimer) => boolean): VirtualTimer | undefined {
    let earliest: VirtualTimer | undefined
    for (const timer of this.waiting) {
      if (fits(timer) && (earliest === undefined || comesBefore(timer, earliest))) earliest = timer
    }
    return earliest
  }
}

/** Whether a timer is due before another one, or at the same time and was armed before it. */
export function comesBefore(timer: VirtualTimer, other: VirtualTimer): boolean {
  return timer.due < other.due || (timer.due === other.due && timer.order < other.order)
}

/** The key of a recorded firing. */
export function keyOf({ owner, set, delay, occurrence = 1 }: TimerKey): string {
  return timerKey(owner, set, delay, occurrence)
}

function timerKey(owner: number, tick: number, delay: number, occurrence: number): string {
  return `${owner} ${tick} ${delay} ${occurrence}`
}
