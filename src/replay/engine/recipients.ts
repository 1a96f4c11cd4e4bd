import type { CompletionRow } from '../../trace/rows.ts'
import type { AwaitedSteps } from './awaited-steps.ts'
import type { VirtualTimers } from './virtual-timers.ts'

/** What recorded completions are delivered to: calls and timers of the replay. */
export class Recipients {
  readonly #steps: AwaitedSteps
  readonly #timers: VirtualTimers

  constructor(steps: AwaitedSteps, timers: VirtualTimers) {
    this.#steps = steps
    this.#timers = timers
  }

  /** Whether a completion has a recipient. */
  has(row: CompletionRow): boolean {
    if (row.kind === 'signal') return true
    return row.kind === 'timer' ? this.#timers.find(row) !== undefined : this.#steps.callOf(row.step) !== undefined
  }

  /** Whether releasing a completion would reach the agent. Intervals only count if there is no other timer. */
  isReached(row: CompletionRow, countsIntervals: boolean): boolean {
    if (row.kind === 'signal') return true
    if (row.kind === 'timer') return this.#timers.find(row)?.repeats === false || (countsIntervals && this.has(row))
    return this.#steps.callOf(row.step)?.state === 'open'
  }
}
