import type { TimerKey } from '../trace/rows.ts'

/** More than a run has that is not busy all the time. */
const most = 1000

/** A timer that has not fired. */
export interface UnfiredTimer {
  readonly key: TimerKey
  /** When the last completion came about that the run had seen when the timer was set, in milliseconds since it started. */
  readonly since: number
}

/**
 * The timers of a run that were due by the times of its rows, and did not fire all the same: the process was busy, or they were set some time
 * after the completion that they followed. A replay, whose clock goes by the rows, would take them for limits that fire.
 */
export class OverdueTimers {
  readonly #keys: TimerKey[] = []

  /** A timer that has not fired will not: it was cleared, or the run settles. */
  stop({ key, since }: UnfiredTimer, now: number): void {
    if (since + key.delay < now && this.#keys.length < most) this.#keys.push(key)
  }

  /** As the `end` row has them. */
  get field(): { readonly overdue?: readonly TimerKey[] } {
    return this.#keys.length === 0 ? {} : { overdue: this.#keys }
  }
}
