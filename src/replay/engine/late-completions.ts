import { knownOrMade } from '../../trace/remember.ts'
import type { CompletionRow } from '../../trace/rows.ts'

/** Completions of steps that were passed before their call was made. They are kept until it is made, then released tick by tick. */
export class LateCompletions {
  readonly #kept = new Map<number, CompletionRow[]>()
  readonly #due: CompletionRow[][] = []

  keep(step: number, row: CompletionRow): void {
    knownOrMade(this.#kept, step, () => []).push(row)
  }

  /** A step's call was made after all. */
  bring(step: number): void {
    const rows = this.#kept.get(step)
    if (rows === undefined) return
    for (const row of rows) {
      if (row.sameTick === true && this.#due.length > 0) this.#due.at(-1)?.push(row)
      else this.#due.push([row])
    }
    this.#kept.delete(step)
  }

  /** The completions of the next tick that is due. */
  next(): readonly CompletionRow[] | undefined {
    return this.#due.shift()
  }
}
