import { captureTrail, type Trail } from '../../run/call-site.ts'

/** What is known about the timers of the recorded run. */
export interface RecordedTimers {
  /** Whether the recorded run lasted until a moment, and none of its timers had this delay: such a timer may be a new time limit. */
  mayBeLimit(due: number, delay: number): boolean
}

/** A timer that is being set. */
interface SetTimer {
  readonly delay: number
  /** In virtual milliseconds since the run started. */
  readonly due: number
  readonly repeats: boolean
}

/**
 * Keeps the stacks of timers that may be new time limits, to tell where a limit was set.
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
    if (repeats || !this.#recorded.mayBeLimit(due, delay)) return undefined
    const count = (this.#counts.get(delay) ?? 0) + 1
    this.#counts.set(delay, count)
    return isPowerOfTwo(count) ? captureTrail() : undefined
  }
}

function isPowerOfTwo(count: number): boolean {
  return (count & (count - 1)) === 0
}
