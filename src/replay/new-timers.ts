import type { TimerRow } from '../trace/rows.ts'
import type { AwaitedSteps } from './awaited-steps.ts'
import type { Plan } from './plan.ts'
import { keyOf, type VirtualTimer, type VirtualTimers } from './virtual-timers.ts'

/** The timers of a replay that the trace does not have: sleeps that were added, and those that the recording did not live to see. */
export class NewTimers {
  readonly #timers: VirtualTimers
  readonly #steps: AwaitedSteps
  /** The keys of the firings that the trace has and that are still to come. */
  readonly #recorded = new Set<string>()

  constructor(plan: Plan, timers: VirtualTimers, steps: AwaitedSteps) {
    this.#timers = timers
    this.#steps = steps
    for (const { rows } of plan.ticks) for (const row of rows) if (row.kind === 'timer') this.#recorded.add(keyOf(row))
  }

  /** A recorded firing has been passed. */
  pass(row: TimerRow): void {
    this.#recorded.delete(keyOf(row))
  }

  /** The one to fire first: a pause before all others, then by time. */
  first(): VirtualTimer | undefined {
    return (
      this.#timers.earliest((timer) => this.#isNew(timer) && this.isPause(timer)) ?? this.#timers.earliest((timer) => this.#isNew(timer))
    )
  }

  /** Of what the run left behind, the one that is due first by then. */
  firstLate(until: number): VirtualTimer | undefined {
    return this.#timers.earliest((timer) => timer.due <= until && this.#isNew(timer))
  }

  /**
   * Whether the agent only waits for a timer that the trace does not have: no call that was made since it was set is open, so that it is no
   * time limit on one, and no recorded timer was set since. It fires before anything else, and what was recorded stands still meanwhile: a sleep
   * that was added shifts nothing. Where one that is due earlier is no such timer, time goes on for both.
   */
  isPause(timer: VirtualTimer): boolean {
    if (timer.repeats || this.#steps.hasOpenSince(timer.place)) return false
    return !this.#timers.some((other) => {
      if (other.repeats || other === timer) return false
      return this.#isNew(other) ? other.due < timer.due && this.#steps.hasOpenSince(other.place) : other.order > timer.order
    })
  }

  /** Whether one waits that does not repeat and was one of the first so many that were armed. */
  hasPauseBefore(armed: number): boolean {
    return this.#timers.some((timer) => !timer.repeats && timer.order <= armed && this.#isNew(timer))
  }

  #isNew({ key }: VirtualTimer): boolean {
    return !this.#recorded.has(key)
  }
}
