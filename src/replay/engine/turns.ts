import { realTimers } from '../../node/real-timers.ts'
import { runOutside } from '../../run/scope.ts'

/** Asks for turns of the event loop, one at a time: the next one, or one a little later. */
export class Turns {
  readonly #come: () => void
  #isAsked = false
  #sleep: NodeJS.Timeout | undefined
  #isOver = false

  /** @param come Called in each turn that was asked for. */
  constructor(come: () => void) {
    this.#come = () => {
      this.#isAsked = false
      this.#sleep = undefined
      if (!this.#isOver) come()
    }
  }

  /** Asks for the next turn. Called from within a run: what a turn itself calls is already outside. */
  ask(): void {
    // Created outside of the run, or it would wait for itself.
    if (!this.#isAsked && !this.#isOver) runOutside(this.#askForNext)
  }

  /** The same, also instead of a later one. */
  hurry(): void {
    if (this.#sleep !== undefined) {
      realTimers.clearTimeout(this.#sleep)
      this.#sleep = undefined
      this.#isAsked = false
    }
    this.ask()
  }

  /** Asks for a turn, if none is: after a time in real milliseconds, or the next one. Called from a turn. */
  askAgain(after: number | undefined): void {
    if (this.#isAsked) return
    if (after === undefined) return this.#askForNext()
    this.#isAsked = true
    this.#sleep = realTimers.setTimeout(this.#come, after)
  }

  /** None comes any more. */
  end(): void {
    this.#isOver = true
    realTimers.clearTimeout(this.#sleep)
  }

  readonly #askForNext = (): void => {
    this.#isAsked = true
    realTimers.setImmediate(this.#come)
  }
}
