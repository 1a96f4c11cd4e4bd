import { realTimers } from '../boundaries/timer/real-timers.ts'

/** Counts the ticks of a run: groups of completions between which no microtask ran, so that the agent saw them as one. */
export class TickCounter {
  #count = 0
  #open = false

  /** How many ticks the run has seen. */
  get count(): number {
    return this.#count
  }

  /**
   * Notes a completion, before it is delivered.
   *
   * @returns Whether it shares the tick of the one before.
   */
  complete(): boolean {
    if (this.#open) return true
    this.#open = true
    this.#count += 1
    // Queued before the delivery, it runs before anything that the delivery sets off.
    realTimers.queueMicrotask(() => {
      this.#open = false
    })
    return false
  }
}
