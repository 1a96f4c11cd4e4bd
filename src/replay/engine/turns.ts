import { realTimers } from '../../node/real-timers.ts'
import { runOutside } from '../../run/scope.ts'

/** Asks for turns of the event loop, one at a time: the next one, or one a little later. */
export class Turns {
  readonly #come: () => void
  #isAsked = false
  #sleep: NodeJS.Timeout | undefined
  #isOver = false

  /** @param come Called in each requested turn. */
  constructor(come: () => void) {
    this.#come = () => {
      this.#isAsked = false
      this.#sleep = undefined
      if (!this.#isOver) come()
    }
  }

  /** Requests the next turn. Called from within a run, but calls from a turn itself are already outside of it. */
  ask(): void {
    // Created outside of the run, because otherwise it would wait for itself.
    if (!this.#isAsked && !this.#isOver) runOutside(this.#askForNext)
  }

  /** The same, but also replaces a later turn. */
  hurry(): void {
    if (this.#sleep !== undefined) {
      realTimers.clearTimeout(this.#sleep)
      this.#sleep = undefined
      this.#isAsked = false
    }
    this.ask()
  }

  /** Requests a turn, if none is requested: after a time in real milliseconds, or the next one. Called from a turn. */
  askAgain(after: number | undefined): void {
    if (this.#isAsked) return
    if (after === undefined) return this.#askForNext()
    this.#isAsked = true
    this.#sleep = realTimers.setTimeout(this.#come, after)
  }

  /** Whether no more turns come. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** No more turns come. */
  end(): void {
    this.#isOver = true
    realTimers.clearTimeout(this.#sleep)
  }

  readonly #askForNext = (): void => {
    this.#isAsked = true
    realTimers.setImmediate(this.#come)
  }
}
