import { StorageError } from './errors/storage-error.ts'
import type { FinishedRun } from './fleet-writer.ts'

/** A run that waits to be stored. */
export interface Waiting {
  readonly id: string
  /** Its size in memory, as far as it matters. */
  readonly size: number
  /** Makes what is stored. */
  finish(): FinishedRun
  /** Called once it is stored, or could not be. */
  settle(error?: unknown): void
}

/** How much waits at most, in bytes. Beyond that, runs are lost, so that a storage that is down does not fill the memory of production. */
const MOST_WAITING = 64 * 1024 * 1024

/** How many runs are stored together at most. */
const BATCH = 200

/** Stores runs one batch after the other, off the agents' way. */
export class PutQueue {
  readonly #write: (runs: readonly FinishedRun[]) => Promise<void>
  readonly #place: string
  #waiting: Waiting[] = []
  #size = 0
  #working: Promise<void> | undefined
  #failure: { readonly error: unknown } | undefined

  constructor(place: string, write: (runs: readonly FinishedRun[]) => Promise<void>) {
    this.#place = place
    this.#write = write
  }

  add(run: Waiting): void {
    if (this.#size + run.size > MOST_WAITING) {
      const message = `${this.#place}: the storage is too slow: more than ${MOST_WAITING / 1024 ** 2} MiB wait to be stored.`
      return this.#settle(run, new StorageError({ problem: 'unavailable', place: this.#place, message }))
    }
    this.#size += run.size
    this.#waiting.push(run)
    this.#working ??= this.#work()
  }

  /** Resolves when nothing waits any more. */
  async idle(): Promise<void> {
    await this.#working
  }

  /** The first failure since the last call. */
  takeFailure(): { readonly error: unknown } | undefined {
    const failure = this.#failure
    this.#failure = undefined
    return failure
  }

  async #work(): Promise<void> {
    // What the same turn adds goes along.
    await Promise.resolve()
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, BATCH)
      let failure: { readonly error: unknown } | undefined
      try {
        await this.#write(batch.map((run) => run.finish()))
      } catch (error) {
        failure = { error }
      }
      for (const run of batch) {
        this.#size -= run.size
        this.#settle(run, failure?.error)
      }
    }
    this.#working = undefined
  }

  #settle(run: Waiting, error?: unknown): void {
    if (error !== undefined) this.#failure ??= { error }
    run.settle(error)
  }
}
