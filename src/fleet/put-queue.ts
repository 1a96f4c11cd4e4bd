import { StorageError } from './errors/storage-error.ts'
import type { FinishedRun } from './fleet-writer.ts'

/** A run that is queued for storing. */
export interface Waiting {
  readonly id: string
  /** Its approximate size in memory. */
  readonly size: number
  /** Makes the run to store. */
  finish(): FinishedRun
  /** Called when it is stored, or storing it failed. */
  settle(error?: unknown): void
}

/** The most bytes that may be queued. Beyond that, runs are lost: a storage outage must not fill the memory of production. */
const MOST_WAITING = 64 * 1024 * 1024

/** The most runs stored together. */
const BATCH = 200

/** Stores runs one batch after the other, in the background. */
export class PutQueue {
  readonly #write: (runs: readonly FinishedRun[]) => Promise<void>
  readonly #place: string
  #waiting: Waiting[] = []
  #size = 0
  #working: Promise<void> | undefined
  /** The runs that are being stored. */
  #batch: Waiting[] = []
  #failure: { readonly error: unknown } | undefined

  constructor(place: string, write: (runs: readonly FinishedRun[]) => Promise<void>) {
    this.#place = place
    this.#write = write
  }

  add(run: Waiting): void {
    if (this.#size + run.size > MOST_WAITING) {
      const message = `${this.#place}: the storage is too slow: more than ${MOST_WAITING / 1024 ** 2} MiB are waiting to be stored.`
      return this.#settle(run, new StorageError({ problem: 'unavailable', place: this.#place, message }))
    }
    this.#size += run.size
    this.#waiting.push(run)
    this.#working ??= this.#work()
  }

  /** Resolves when the queue is empty. */
  async idle(): Promise<void> {
    await this.#working
  }

  /** Fails every run that is not stored. */
  abandon(): void {
    const message = `${this.#place}: the recorder was closed before the storage had taken the run.`
    const error = new StorageError({ problem: 'unavailable', place: this.#place, message })
    for (const run of [...this.#batch.splice(0), ...this.#waiting.splice(0)]) this.#end(run, error)
  }

  /** Returns the first failure since the last call. */
  takeFailure(): { readonly error: unknown } | undefined {
    const failure = this.#failure
    this.#failure = undefined
    return failure
  }

  async #work(): Promise<void> {
    // Runs added in the same turn join the batch.
    await Promise.resolve()
    while (this.#waiting.length > 0) {
      this.#batch = this.#waiting.splice(0, BATCH)
      const batch = [...this.#batch]
      let failure: { readonly error: unknown } | undefined
      try {
        await this.#write(batch.map((run) => run.finish()))
      } catch (error) {
        failure = { error }
      }
      for (const run of this.#batch.splice(0)) this.#end(run, failure?.error)
    }
    this.#working = undefined
  }

  #end(run: Waiting, error?: unknown): void {
    this.#size -= run.size
    this.#settle(run, error)
  }

  #settle(run: Waiting, error?: unknown): void {
    if (error !== undefined) this.#failure ??= { error }
    run.settle(error)
  }
}
