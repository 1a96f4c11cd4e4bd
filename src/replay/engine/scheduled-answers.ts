import type { PlannedTick } from '../calls/plan.ts'
import type { ReplayCall } from '../calls/replay-call.ts'
import type { NewTimers } from './new-timers.ts'
import type { VirtualClock } from './virtual-clock.ts'

/** How often a run that waits for the world is looked at, in real milliseconds, unless something wakes its conductor. */
const worldPoll = 20

/**
 * What comes at its time, and not in a recorded order: the answers of a fork behind its step, and the timers of its run. The clock jumps to
 * the next of them, or runs and they come when they are due.
 */
export class ScheduledAnswers {
  readonly #clock: VirtualClock
  readonly #timers: NewTimers
  readonly #waiting: ScheduledAnswer[] = []

  constructor(clock: VirtualClock, timers: NewTimers) {
    this.#clock = clock
    this.#timers = timers
  }

  /** @param due In virtual milliseconds since the run started. Of equal ones, the first added comes first. */
  add(due: number, deliver: () => void): void {
    const index = this.#waiting.findLastIndex((other) => other.due <= due)
    this.#waiting.splice(index + 1, 0, { due, deliver })
  }

  /** What the recording has left of the answers of open calls comes when it is due. */
  addRest(left: readonly PlannedTick[], callOf: (step: number) => ReplayCall | undefined): void {
    for (const row of left.flatMap(({ rows }) => rows)) {
      const call = row.kind === 'timer' || row.kind === 'signal' ? undefined : callOf(row.step)
      if (call?.planned === undefined || call.state !== 'open') continue
      this.add(call.at + row.at - call.planned.call.at, () => call.delivery.row(row))
    }
  }

  /** From now on, time passes as it really does: timers fire and answers come when they are due. */
  runClock(): void {
    this.#clock.run()
  }

  /** Whether time passes by these answers and timers. */
  get isUsed(): boolean {
    return (this.#clock.isRunning || this.#waiting.length > 0) && this.#due < Infinity
  }

  /** How long until something is due, in real milliseconds; undefined if the clock does not run. */
  get wait(): number | undefined {
    return this.#clock.isRunning ? Math.min(worldPoll, Math.max(0, this.#due - this.#clock.now)) : undefined
  }

  /** The clock runs: releases what is due by now. Returns whether anything was. */
  releaseDue(): boolean {
    return this.#clock.isRunning && this.#due <= this.#clock.now && this.#release()
  }

  /** The run waits for nothing else: time passes until something is due. */
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
      this.#waiting.shift()?.deliver()
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
