import type { RunTimer } from '../../run/active-run.ts'
import { processWide } from '../../node/process-wide.ts'
import { realTimers } from '../../node/real-timers.ts'
import type { Scope } from '../../run/scope.ts'
import { defineOwn } from '../patches.ts'
import { timerDelay } from '../time-limit.ts'

interface Timeouts {
  /** The timers' brand in all copies of the package. A set of the timers would cost more than the rest of a timer. */
  readonly brand: symbol
  /** Timers whose number was requested, because a program may clear a timer by its number. */
  readonly byNumber: Map<number, WeakRef<RunTimeout>>
  lastNumber: number
}

// One copy of the package may clear another's timers. The numbers start far away from Node's own, which count up from 1.
const timeouts = processWide<Timeouts>('timeouts', () => ({ brand: Symbol('run timeout'), byNumber: new Map(), lastNumber: 1_000_000_000 }))
const dropped = new FinalizationRegistry<number>((number) => timeouts.byNumber.delete(number))

/**
 * Starts a timer of a run.
 *
 * @param delay As passed by the program.
 * @param fire Called on each firing, with the result of `setTimeout`.
 */
export function startRunTimeout(scope: Scope, delay: unknown, repeats: boolean, fire: (timeout: RunTimeout) => void): RunTimeout {
  const milliseconds = timerDelay(delay)
  const timer: RunTimer = scope.run.startTimer(scope.owner, milliseconds, repeats, () => {
    if (!timer.active) timeout.forget()
    fire(timeout)
  })
  const timeout = new RunTimeout(timer, milliseconds, repeats)
  return timeout
}

/** Returns the run's timer for a handle (the timer itself or its number); undefined for any other handle. */
export function runTimeoutOf(handle: unknown): RunTimeout | undefined {
  if (typeof handle === 'object' && handle !== null && timeouts.brand in handle) return handle as RunTimeout
  return typeof handle === 'number' || typeof handle === 'string' ? timeouts.byNumber.get(Number(handle))?.deref() : undefined
}

/**
 * The result of a run's `setTimeout` and `setInterval`, with everything that Node's own timer object offers. To a program it is one: an
 * instance of its class, by that name.
 */
export class RunTimeout {
  static {
    Object.defineProperty(this.prototype, timeouts.brand, { value: true })
    const handle: unknown = realTimers.setTimeout(ignore, realTimers.maximumDelay)
    realTimers.clearTimeout(handle as NodeJS.Timeout)
    // Timers of other platforms are numbers.
    if (typeof handle === 'object' && handle !== null) {
      Object.setPrototypeOf(this.prototype, Object.getPrototypeOf(handle) as object)
      defineOwn(this.prototype, 'constructor', handle.constructor)
    }
  }

  readonly #timer: RunTimer
  readonly #delay: number
  readonly #repeats: boolean
  #number: number | undefined
  #referenced = true
  #closed = false

  constructor(timer: RunTimer, delay: number, repeats: boolean) {
    this.#timer = timer
    this.#delay = delay
    this.#repeats = repeats
  }

  get _idleTimeout(): number {
    return this.#delay
  }

  get _repeat(): number | null {
    return this.#repeats ? this.#delay : null
  }

  close(): this {
    this.#closed = true
    this.forget()
    this.#timer.cancel()
    return this
  }

  /** Like Node's own, restarts a timer that has fired, but not one that was cleared. */
  refresh(): this {
    if (!this.#closed) this.#timer.refresh()
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
      this.#number = timeouts.lastNumber += 1
      timeouts.byNumber.set(this.#number, new WeakRef(this))
      dropped.register(this, this.#number)
    }
    return this.#number
  }

  /**
   * Node's own `clearTimeout` reads this property and sets it to null. A program may have captured `clearTimeout` before the doors were open,
   * or clear a timer after they were shut. Source: Node, lib/timers.js, `clearTimeout` and `unenroll`.
   */
  get _onTimeout(): (() => void) | null {
    return this.#closed ? null : ignore
  }

  set _onTimeout(value: (() => void) | null) {
    if (value === null) this.close()
  }

  /** Whether Node has nothing left to remove from its lists. */
  get _destroyed(): boolean {
    return this.#closed
  }

  /** Invalidates the timer's number. */
  forget(): void {
    if (this.#number !== undefined) timeouts.byNumber.delete(this.#number)
  }

  [Symbol.dispose](): void {
    this.close()
  }
}

function ignore(): void {
  // Node only checks that there is a function.
}
