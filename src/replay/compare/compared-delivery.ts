import type { CompletionRow } from '../../trace/rows.ts'
import type { Delivery, ReplayCall } from '../calls/replay-call.ts'

/** Hands nobody anything: only how far a call of the other run has come is of interest. */
export class ComparedDelivery implements Delivery {
  #call: ReplayCall | undefined
  #onSettled: () => void = () => undefined
  #delivered = 0

  attach(call: ReplayCall, onSettled: () => void): void {
    this.#call = call
    this.#onSettled = onSettled
  }

  row(row: CompletionRow): void {
    this.#delivered += 1
    if (row.kind === 'return' || row.kind === 'throw') this.#onSettled()
  }

  answer(): void {
    this.#onSettled()
  }

  refuse(): void {
    this.#onSettled()
  }

  /** The call settles by its own doing: its function ran, or the agent let go of it. */
  settle(): void {
    this.#onSettled()
  }

  /** Whether so many of a call's completions have come, or all that ever will. */
  has(count: number): boolean {
    const total = this.#call?.planned?.completions.length
    return this.#call?.state === 'settled' || (total !== undefined && this.#delivered >= Math.min(count, total))
  }
}
