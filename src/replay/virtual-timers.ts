import type { RunTimer } from '../run/active-run.ts'
import { bindScope } from '../run/scope.ts'
import type { TimerRow } from '../trace/rows.ts'

/** A timer of a replay. */
export class VirtualTimer implements RunTimer {
  active = true
  /** In virtual milliseconds since the run started. */
  due = 0
  key = ''
  /** When it was armed, among all timers. */
  order = 0
  /** How far the replay was when it was armed: a place in the trace, and how many ticks it had seen itself. */
  place = 0
  set = 0
  /** 1 for the first of its owner, tick and delay, and so on. */
  occurrence = 1
  readonly owner: number
  readonly delay: number
  readonly repeats: boolean
  readonly #timers: VirtualTimers
  readonly #fire: () => void
  readonly #log: FiringLog | undefined

  /** @param log Told of each firing before it happens. Default: nobody. */
  constructor(timers: VirtualTimers, owner: number, delay: number, repeats: boolean, fire: () => void, log?: FiringLog) {
    this.#log = log
    this.#timers = timers
    this.owner = owner
    this.delay = delay
    this.repeats = repeats
    this.#fire = bindScope(fire)
    timers.arm(this)
  }

  cancel(): void {
    this.active = false
    this.#timers.disarm(this)
  }

  refresh(): void {
    this.#timers.disarm(this)
    this.active = true
    this.#timers.arm(this)
  }

  reference(): void {
    // It is not the process that keeps a replay going.
  }

  fire(): void {
    this.#log?.fired(this)
    this.#timers.disarm(this)
    if (this.repeats) this.#timers.arm(this)
    else this.active = false
    this.#fire()
  }
}

/** Keeps what fired. */
export interface FiringLog {
  fired(timer: VirtualTimer): void
}

/** What the timers need to know of the replay's progress. */
export interface Progress {
  /** The ordinal of the last tick released. */
  tick(): number
  /** The place in the trace of the last completion released. */
  place(): number
  /** Virtual milliseconds since the run started. */
  now(): number
  /** How many ticks the replay itself has seen. */
  seen(): number
  /** The recorded step number of an owner. */
  recordedOwner(owner: number): number
}

/** The timers that wait in a replay, known as the trace knows them: by owner, the tick they were set in, delay, and occurrence among equals. */
export class VirtualTimers {
  readonly #progress: Progress
  readonly #waiting = new Map<string, VirtualTimer>()
  readonly #occurrences = new Map<string, number>()
  #occurrencesTick = -1
  #armed = 0

  constructor(progress: Progress) {
    this.#progress = progress
  }

  arm(timer: VirtualTimer): void {
    const tick = this.#progress.tick()
    if (this.#occurrencesTick !== tick) {
      this.#occurrencesTick = tick
      this.#occurrences.clear()
    }
    const owner = this.#progress.recordedOwner(timer.owner)
    const equals = `${owner} ${timer.delay}`
    const occurrence = (this.#occurrences.get(equals) ?? 0) + 1
    this.#occurrences.set(equals, occurrence)
    timer.key = timerKey(owner, tick, timer.delay, occurrence)
    timer.due = this.#progress.now() + timer.delay
    timer.order = this.#armed += 1
    timer.place = this.#progress.place()
    timer.set = this.#progress.seen()
    timer.occurrence = occurrence
    this.#waiting.set(timer.key, timer)
  }

  disarm(timer: VirtualTimer): void {
    if (this.#waiting.get(timer.key) === timer) this.#waiting.delete(timer.key)
  }

  /** Those that wait. */
  get waiting(): VirtualTimer[] {
    return [...this.#waiting.values()]
  }

  /** How many have been armed so far. */
  get armed(): number {
    return this.#armed
  }

  /** The waiting timer that a recorded firing is of. */
  find(row: TimerRow): VirtualTimer | undefined {
    return this.#waiting.get(keyOf(row))
  }

  /** Whether any that waits is such a one. */
  some(is: (timer: VirtualTimer) => boolean): boolean {
    return [...this.#waiting.values()].some(is)
  }

  /** The timer that is due first among those that fit. */
  earliest(fits: (timer: VirtualTimer) => boolean): VirtualTimer | undefined {
    let earliest: VirtualTimer | undefined
    for (const timer of this.#waiting.values()) {
      if (!fits(timer)) continue
      if (earliest === undefined || timer.due < earliest.due || (timer.due === earliest.due && timer.order < earliest.order))
        earliest = timer
    }
    return earliest
  }
}

/** What a recorded firing is known by. */
export function keyOf({ owner, set, delay, occurrence = 1 }: TimerRow): string {
  return timerKey(owner, set, delay, occurrence)
}

function timerKey(owner: number, tick: number, delay: number, occurrence: number): string {
  return `${owner} ${tick} ${delay} ${occurrence}`
}
