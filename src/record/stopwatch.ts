import { realTimers } from '../node/real-timers.ts'

/** Tells for how long a run has been going on. */
export class Stopwatch {
  readonly #startedAt = realTimers.now()
  /** What it told last. */
  last = 0

  /** Milliseconds since it was made, to a tenth. */
  read(): number {
    this.last = Math.round((realTimers.now() - this.#startedAt) * 10) / 10
    return this.last
  }
}
