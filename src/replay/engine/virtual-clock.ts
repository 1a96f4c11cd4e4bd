import { realTimers } from '../../node/real-timers.ts'

/** A replay's time, in milliseconds since the run started. */
export class VirtualClock {
  #now: number
  /** The recorded time of the last recorded event. */
  #recorded: number
  /** How far it is ahead of recorded time, because of added sleeps and answers. */
  #ahead = 0
  /** The start of its running in real time, in milliseconds since the process started, and its value then. */
  #running: { readonly since: number; readonly from: number } | undefined

  /** @param startsAt Its first value. */
  constructor(startsAt: number) {
    this.#now = startsAt
    this.#recorded = startsAt
  }

  /** The current time. */
  get now(): number {
    if (this.#running !== undefined) this.#now = Math.max(this.#now, this.#running.from + realTimers.now() - this.#running.since)
    return this.#now
  }

  /** Whether it runs in real time. */
  get isRunning(): boolean {
    return this.#running !== undefined
  }

  /** From now on, it runs in real time. */
  run(): void {
    this.#running ??= { since: realTimers.now(), from: this.#now }
  }

  /** How much later it is than when the last recorded event came about in the recording. */
  get shift(): number {
    return this.now - this.#recorded
  }

  /** When a recorded event happens in this replay, if it is not known what it follows from. */
  timeOf(recordedAt: number): number {
    return recordedAt + this.#ahead
  }

  /** A recorded event happens at a moment of this replay. Default: it reaches nothing, so no time passes. */
  reach(recordedAt: number, moment: number = -Infinity): void {
    this.#now = Math.max(this.now, moment)
    this.#recorded = recordedAt
  }

  /** An event happens that the recording does not have. @param isPause Whether recorded time stands still meanwhile. */
  wait(until: number, isPause: boolean): void {
    const passing = Math.max(0, until - this.now)
    if (isPause) this.#ahead += passing
    this.#now += passing
  }
}
