import type { CompletionRow } from '../../trace/rows.ts'
import type { PlannedTick } from '../calls/plan.ts'
import type { AwaitedSteps } from './awaited-steps.ts'
import type { VirtualClock } from './virtual-clock.ts'
import type { VirtualTimers } from './virtual-timers.ts'

/** When the events of the recording happen in a replay: as long after what they follow from as in the recording. */
export class EventTimes {
  readonly #clock: VirtualClock
  readonly #steps: AwaitedSteps
  readonly #timers: VirtualTimers

  constructor(clock: VirtualClock, steps: AwaitedSteps, timers: VirtualTimers) {
    this.#clock = clock
    this.#steps = steps
    this.#timers = timers
  }

  /**
   * When a completion that is released happens; undefined if it has no recipient. The time of the rows counts on both sides, so that unchanged
   * code has the recorded times.
   */
  momentOf(row: CompletionRow): number | undefined {
    if (row.kind === 'signal') return this.#clock.timeOf(row.at)
    const shift = row.kind === 'timer' ? this.#timers.find(row)?.shift : this.#shiftOf(row.step)
    return shift === undefined ? undefined : row.at + shift
  }

  /** Answers to calls that came late are released: time passes until they arrive. */
  pass(rows: readonly CompletionRow[]): void {
    for (const row of rows) this.#clock.wait(this.momentOf(row) ?? 0, false)
  }

  /** When a tick that is not released yet comes: an answer by its call, and a timer when it is due, however late it was in the recording. */
  reached(tick: PlannedTick | undefined): number {
    if (tick === undefined) return Infinity
    return this.#steps.arrivalOf(tick.rows) ?? this.#timers.dueOf(tick.rows) ?? this.#clock.timeOf(tick.rows[0]?.at ?? 0)
  }

  /** How much later than in the recording a step was called. */
  #shiftOf(step: number): number | undefined {
    const call = this.#steps.callOf(step)
    return call?.planned && call.at - call.planned.calledAt
  }
}
