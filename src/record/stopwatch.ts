import { realTimers } from '../node/real-timers.ts'

/** Measures how long a run has been under way. */
export class Stopwatch {
  readonly #startedAt = realTimers.now()
  /** The last result of `read`. */
  last = 0

  /** Returns the milliseconds since it was created, to a tenth. */
  read(): number {
    this.last = Math.round((realTimers.now() - this.#startedAt) * 10) / 10
    return this.last
  }
}
