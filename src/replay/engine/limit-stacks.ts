import { captureTrail, type Trail } from '../../run/call-site.ts'

/** What is known about the timers of the recorded run. */
export interface RecordedTimers {
  /**
   * Whether a timer may be a new time limit, or may fire too late to be watched: it is due before the recorded run's end, or after the watch that
   * followed, and none of its timers had this delay.
   */
  mayBeTold(due: number, delay: number): boolean
}

/** A timer that is being set. */
interface SetTimer {
  readonly delay: number
  /** In virtual milliseconds since the run started. */
  readonly due: number
  readonly repeats: boolean
}

/**
 * Keeps the stacks of timers that may be new time limits, or too late, to tell where they were set.
 *
 * @note A stack costs tens of microseconds, so the more timers have a delay, the rarer they are.
 */
export class LimitStacks {
  readonly #recorded: RecordedTimers
  /** How many such timers were set, by delay. */
  readonly #counts = new Map<number, number>()

  constructor(recorded: RecordedTimers) {
    this.#recorded = recorded
  }

  /** The stack of a timer that is being set, if it is kept. */
  of({ delay, due, repeats }: SetTimer): Trail | undefined {
    if (repeats || !this.#recorded.mayBeTold(due, delay)) return undefined
    const count = (this.#counts.get(delay) ?? 0) + 1
    this.#counts.set(delay, count)
    return isPowerOfTwo(count) ? captureTrail() : undefined
  }
}

function isPowerOfTwo(count: number): boolean {
  return (count & (count - 1)) === 0
}
