import type { RunTimer } from '../../run/active-run.ts'
import { bindContext } from '../../run/scope.ts'
import type { TimerKey, TimerRow } from '../../trace/rows.ts'
import type { PlannedTick } from '../calls/plan.ts'
import type { FiredTimer, ReplayCall } from '../calls/replay-call.ts'
import type { WorkStart } from './own-work.ts'

/** A timer that fires within this many milliseconds before an answer may as well have fired after it: clocks are not more precise. */
export const tolerance = 2

/** A timer of a replay. */
export class VirtualTimer implements RunTimer {
  active = true
  /** In virtual milliseconds since the run started. */
  due = 0
  /** Its position in the order in which all timers were armed. */
  order = 0
  /** The progress of the replay when it was armed: a place in the trace, and how many ticks it had seen. */
  place = 0
  set = 0
  /** How many calls had been made before it was armed. */
  callsBefore = 0
  /** The timer after whose firing it was armed, before anything else reached the run. */
  after: FiredTimer | undefined
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
    this.#fire = bindContext(fire)
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
    // After the run, only an interval's first firing matters.
    if (this.repeats && !this.#timers.isLate) this.#arm()
    else this.active = false
    this.#fire()
  }

  #arm(): void {
    this.#key = undefined
    this.#timers.arm(this)
  }
}

/** Logs firings. */
export interface FiringLog {
  fired(timer: VirtualTimer): void
}

/** The progress of the replay, as needed by timers. */
export interface Progress {
  /** The ordinal of the last tick released. */
  tick(): number
  /** The place in the trace of the last completion released. */
  place(): number
  /** In virtual milliseconds since the run started. */
  now(): number
  /** How many ticks the replay itself has seen. */
  seen(): number
  /** The calls so far. */
  calls(): readonly ReplayCall[]
  /** The additional timer that the run continues from, if nothing else has reached it since. */
  after(): FiredTimer | undefined
  /** If the run continues from its own work: where that work began. */
  behindWork(): WorkStart | undefined
  /** Whether the agent has returned or thrown. */
  finished(): boolean
  /** The recorded step number of an owner. */
  recordedOwner(owner: number): number
}

/** More than the number of delays, which have 31 bits. */
const mostDelays = 2 ** 31

/** Counts the timers of an owner that are set with the same delay within one tick. */
class Occurrences {
  readonly #counts = new Map<number, number>()
  #tick = -1

  count(tick: number, owner: number, delay: number): number {
    if (this.#tick !== tick) {
      this.#tick = tick
      this.#counts.clear()
    }
    const equals = owner * mostDelays + delay
    const occurrence = (this.#counts.get(equals) ?? 0) + 1
    this.#counts.set(equals, occurrence)
    return occurrence
  }
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
  #armed = 0
  /** No pending timer is due before this. */
  #soonest = Infinity

  constructor(progress: Progress) {
    this.#progress = progress
  }

  arm(timer: VirtualTimer): void {
    const tick = this.#progress.tick()
    const owner = this.#progress.recordedOwner(timer.owner)
    timer.recordedOwner = owner
    timer.tick = tick
    timer.due = this.#progress.now() + timer.delay
    timer.order = this.#armed += 1
    timer.place = this.#progress.place()
    timer.set = this.#progress.seen()
    if (timer.isKeyed) {
      timer.occurrence = this.#recorded.count(tick, owner, timer.delay)
      timer.occurrenceInSet = this.#seen.count(timer.set, owner, timer.delay)
    }
    timer.callsBefore = this.#progress.calls().length
    timer.after = this.#progress.after()
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

  /** The timer that is due first, among those that fit. */
  earliest(fits: (timer: VirtualTimer) => boolean): VirtualTimer | undefined {
    let earliest: VirtualTimer | undefined
    for (const timer of this.waiting) {
      if (!fits(timer)) continue
      if (earliest === undefined || timer.due < earliest.due || (timer.due === earliest.due && timer.order < earliest.order))
        earliest = timer
    }
    return earliest
  }
}

/** The key of a recorded firing. */
export function keyOf({ owner, set, delay, occurrence = 1 }: TimerKey): string {
  return timerKey(owner, set, delay, occurrence)
}

function timerKey(owner: number, tick: number, delay: number, occurrence: number): string {
  return `${owner} ${tick} ${delay} ${occurrence}`
}
