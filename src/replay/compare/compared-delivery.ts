import type { CompletionRow } from '../../trace/rows.ts'
import { Delivery } from '../calls/replay-call.ts'

/** Delivers nothing: it only tracks the progress of a call of the other run. */
export class ComparedDelivery extends Delivery {
  #delivered = 0

  protected deliver(row: CompletionRow): void {
    this.#delivered += 1
    if (row.kind === 'return' || row.kind === 'throw') this.settle()
  }

  answer(): void {
    this.settle()
  }

  refuse(): void {
    this.settle()
  }

  /** Also called if the call settles by itself: its function ran, or the agent dropped it. */
  override settle(): void {
    super.settle()
  }

  /** Whether this many of a call's completions have arrived, or all of them. */
  has(count: number): boolean {
    const total = this.call?.planned?.completions.length
    return this.call?.state === 'settled' || (total !== undefined && this.#delivered >= Math.min(count, total))
  }
}
