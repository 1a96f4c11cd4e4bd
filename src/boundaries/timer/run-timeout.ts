import type { RunTimer } from '../../run/active-run.ts'

// Far from Node's own numbers, which count up from 1.
let lastNumber = 1_000_000_000

// A program may clear a timer by its number; those whose number was asked for are found here.
const byNumber = new Map<number, RunTimeout>()

/** The timer of a run that a handle, whatever it is, stands for: the timer itself, or its number. Undefined for any other. */
export function runTimeoutOf(handle: unknown): RunTimeout | undefined {
  if (handle instanceof RunTimeout) return handle
  return typeof handle === 'number' || typeof handle === 'string' ? byNumber.get(Number(handle)) : undefined
}

/** What a run's `setTimeout` and `setInterval` return: everything that Node's own timer object offers. */
export class RunTimeout {
  readonly #timer: RunTimer
  #number: number | undefined
  #referenced = true

  constructor(timer: RunTimer) {
    this.#timer = timer
  }

  close(): this {
    this.forget()
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
    if (this.#number === undefined) {
      this.#number = lastNumber += 1
      byNumber.set(this.#number, this)
    }
    return this.#number
  }

  /** Its number stands for nothing any more. */
  forget(): void {
    if (this.#number !== undefined) byNumber.delete(this.#number)
  }

  [Symbol.dispose](): void {
    this.close()
  }
}
