import type { CompletionRow } from '../../trace/rows.ts'
import type { Delivery, ReplayCall } from '../calls/replay-call.ts'

/** Delivers nothing: it only tracks the progress of a call of the other run. */
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

  /** The call settles by itself: its function ran, or the agent dropped it. */
  settle(): void {
    this.#onSettled()
  }

  /** Whether this many of a call's completions have arrived, or all of them. */
  has(count: number): boolean {
    const total = this.#call?.planned?.completions.length
    return this.#call?.state === 'settled' || (total !== undefined && this.#delivered >= Math.min(count, total))
  }
}
