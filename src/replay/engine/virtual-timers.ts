import type { RunTimer } from '../../run/active-run.ts'
import { begunHere } from '../../run/async-stacks.ts'
import { bindScope } from '../../run/scope.ts'
import type { TimerKey, TimerRow } from '../../trace/rows.ts'
import type { FiredTimer, ReplayCall } from '../calls/replay-call.ts'

/** A timer of a replay. */
export class VirtualTimer implements RunTimer {
  active = true
  /** In virtual milliseconds since the run started. */
  due = 0
  /** When it was armed, among all timers. */
  order = 0
  /** How far the replay was when it was armed: a place in the trace, and how many ticks it had seen itself. */
  place = 0
  set = 0
  /** How many calls had been made by then. */
  callsBefore = 0
  /** It was armed once this timer had fired, and before anything else reached the run. */
  after: FiredTimer | undefined
  /** What it is known by: the recorded owner, and the tick that it was armed in, beside its delay. */
  recordedOwner = 0
  tick = 0
  /** 1 for the first of its owner, tick and delay, and so on. */
  occurrence = 1
  readonly owner: number
  readonly delay: number
  readonly repeats: boolean
  readonly #timers: VirtualTimers
  readonly #fire: () => void
  readonly #log: FiringLog | undefined
  #key: string | undefined

  /** @param log Told of each firing before it happens. Default: nobody. */
  constructor(timers: VirtualTimers, owner: number, delay: number, repeats: boolean, fire: () => void, log?: FiringLog) {
    this.#log = log
    this.#timers = timers
    this.owner = owner
    this.delay = delay
    this.repeats = repeats
    this.#fire = bindScope(begunHere(fire))
    timers.arm(this)
  }

  /** What a recorded firing of it is known by. Made when it is asked for: most timers are time limits, and cleared before. */
  get key(): string {
    return (this.#key ??= timerKey(this.recordedOwner, this.tick, this.delay, this.occurrence))
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
    // It is not the process that keeps a replay going.
  }

  fire(): void {
    this.#log?.fired(this)
    this.#timers.disarm(this)
    // Of one that repeats, the first firing after the run tells what there is to tell.
    if (this.repeats && !this.#timers.isLate) this.#arm()
    else this.active = false
    this.#fire()
  }

  #arm(): void {
    this.#key = undefined
    this.#timers.arm(this)
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
  /** Its calls so far. */
  calls(): readonly ReplayCall[]
  /** The timer of its own that the run goes on from, if nothing else reached it since. */
  after(): FiredTimer | undefined
  /** Whether the agent has returned or thrown. */
  finished(): boolean
  /** The recorded step number of an owner. */
  recordedOwner(owner: number): number
}

/** More than there are delays: they have 31 bits. */
const mostDelays = 2 ** 31

/** The timers that wait in a replay, known as the trace knows them: by owner, the tick they were set in, delay, and occurrence among equals. */
export class VirtualTimers {
  readonly #progress: Progress
  /** Those that wait: the ones that a recorded firing has been looked for among, by their keys, and those armed since. */
  readonly #known = new Map<string, VirtualTimer>()
  readonly #new = new Set<VirtualTimer>()
  /** Of this tick, by owner and delay. */
  readonly #occurrences = new Map<number, number>()
  #occurrencesTick = -1
  #armed = 0
  /** No timer that waits is due before. */
  #soonest = Infinity

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
    const equals = owner * mostDelays + timer.delay
    const occurrence = (this.#occurrences.get(equals) ?? 0) + 1
    this.#occurrences.set(equals, occurrence)
    timer.recordedOwner = owner
    timer.tick = tick
    timer.due = this.#progress.now() + timer.delay
    timer.order = this.#armed += 1
    timer.place = this.#progress.place()
    timer.set = this.#progress.seen()
    timer.callsBefore = this.#progress.calls().length
    timer.after = this.#progress.after()
    this.#soonest = Math.min(this.#soonest, timer.due)
    timer.occurrence = occurrence
    this.#new.add(timer)
  }

  disarm(timer: VirtualTimer): void {
    if (!this.#new.delete(timer) && this.#known.get(timer.key) === timer) this.#known.delete(timer.key)
  }

  /** Whether what fires now the run left behind. */
  get isLate(): boolean {
    return this.#progress.finished()
  }

  /** The calls of the run that are under way. */
  get openCalls(): ReplayCall[] {
    return this.#progress.calls().filter(({ state }) => state === 'open')
  }

  /** Those that wait. */
  get waiting(): VirtualTimer[] {
    return [...this.#known.values(), ...this.#new]
  }

  /** How many have been armed so far. */
  get armed(): number {
    return this.#armed
  }

  /** The waiting timer that a recorded firing is of. */
  find(row: TimerRow): VirtualTimer | undefined {
    for (const timer of this.#new) this.#known.set(timer.key, timer)
    this.#new.clear()
    return this.#known.get(keyOf(row))
  }

  /** Whether any that waits is due before a moment. */
  isAnyDueBefore(moment: number): boolean {
    if (this.#soonest >= moment) return false
    this.#soonest = this.waiting.reduce((soonest, { due }) => Math.min(soonest, due), Infinity)
    return this.#soonest < moment
  }

  /** Whether any that waits is such a one. */
  some(is: (timer: VirtualTimer) => boolean): boolean {
    return this.waiting.some(is)
  }

  /** The timer that is due first among those that fit. */
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

/** What a recorded firing is known by. */
export function keyOf({ owner, set, delay, occurrence = 1 }: TimerKey): string {
  return timerKey(owner, set, delay, occurrence)
}

function timerKey(owner: number, tick: number, delay: number, occurrence: number): string {
  return `${owner} ${tick} ${delay} ${occurrence}`
}
