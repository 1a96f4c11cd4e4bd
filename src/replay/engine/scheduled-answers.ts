import { throwUncaught } from '../../node/throw-uncaught.ts'
import type { PlannedTick } from '../calls/plan.ts'
import type { ReplayCall } from '../calls/replay-call.ts'
import type { NewTimers } from './new-timers.ts'
import type { VirtualClock } from './virtual-clock.ts'

/** How often to check a run that waits for the world, in real milliseconds, unless something wakes its conductor. */
const worldPoll = 20

/**
 * Delivers what comes at a time instead of in a recorded order: a fork's answers after its step, and the timers of its run. The clock either
 * jumps to the next of them, or runs until they are due.
 */
export class ScheduledAnswers {
  readonly #clock: VirtualClock
  readonly #timers: NewTimers
  readonly #waiting: ScheduledAnswer[] = []

  constructor(clock: VirtualClock, timers: NewTimers) {
    this.#clock = clock
    this.#timers = timers
  }

  /** @param due In virtual milliseconds since the run started. If several are equal, the first added comes first. */
  add(due: number, deliver: () => void): void {
    const index = this.#waiting.findLastIndex((other) => other.due <= due)
    this.#waiting.splice(index + 1, 0, { due, deliver })
  }

  /** Schedules the rest of the recorded answers to open calls. */
  addRest(left: readonly PlannedTick[], callOf: (step: number) => ReplayCall | undefined): void {
    for (const row of left.flatMap(({ rows }) => rows)) {
      const call = row.kind === 'timer' || row.kind === 'signal' ? undefined : callOf(row.step)
      if (call?.planned === undefined || call.state !== 'open') continue
      this.add(call.at + row.at - call.planned.call.at, () => call.delivery.row(row))
    }
  }

  /** From now on, time passes in real time: timers fire and answers come when they are due. */
  runClock(): void {
    this.#clock.run()
  }

  /** Whether these answers and timers determine the time. */
  get isUsed(): boolean {
    return (this.#clock.isRunning || this.#waiting.length > 0) && this.#due < Infinity
  }

  /** How long until something is due, in real milliseconds; undefined if the clock does not run. */
  get wait(): number | undefined {
    return this.#clock.isRunning ? Math.min(worldPoll, Math.max(0, this.#due - this.#clock.now)) : undefined
  }

  /** If the clock runs, releases what is due by now. Returns whether anything was. */
  releaseDue(): boolean {
    return this.#clock.isRunning && this.#due <= this.#clock.now && this.#release()
  }

  /** The run waits for nothing else, so time advances until something is due. */
  pass(): void {
    if (!this.#clock.isRunning || this.#due <= this.#clock.now) this.#release()
  }

  get #due(): number {
    return Math.min(this.#waiting[0]?.due ?? Infinity, this.#timers.soonest()?.due ?? Infinity)
  }

  #release(): true {
    const due = this.#due
    this.#clock.wait(due, false)
    if (this.#waiting[0]?.due === due) {
      this.#timers.leave()
      try {
        this.#waiting.shift()?.deliver()
      } catch (error) {
        throwUncaught(error)
      }
      return true
    }
    const timer = this.#timers.soonest()
    if (timer !== undefined) this.#timers.fire(timer, false)
    timer?.fire()
    return true
  }
}

interface ScheduledAnswer {
  readonly due: number
  readonly deliver: () => void
}
