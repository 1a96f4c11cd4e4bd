import type { RunTimer } from '../../run/active-run.ts'

let lastNumber = 0

/** What a run's `setTimeout` and `setInterval` return: everything that Node's own timer object offers. */
export class RunTimeout {
  readonly #timer: RunTimer
  // Far from Node's own numbers, which count up from 1.
  readonly #number = 1_000_000_000 + ++lastNumber
  #referenced = true

  constructor(timer: RunTimer) {
    this.#timer = timer
  }

  close(): this {
    this.#timer.cancel()
    return this
  }

  refresh(): this {
    this.#timer.refresh()
    return this
  }

  ref(): this {
    this.#referenced = true
    this.#timer.reference(true)
    return this
  }

  unref(): this {
    this.#referenced = false
    this.#timer.reference(false)
    return this
  }

  hasRef(): boolean {
    return this.#referenced
  }

  [Symbol.toPrimitive](): number {
    return this.#number
  }

  [Symbol.dispose](): void {
    this.close()
  }
}
