import { inTime } from '../node/in-time.ts'
import type { TraceStore } from '../stores/trace-store.ts'
import { type StoreFailure, UnstoredRuns } from './unstored-runs.ts'

/** How many open recorders use a store that the program made. */
const users = new WeakMap<TraceStore, number>()

/** The store of a recorder: what it has not confirmed yet, flushes within a time limit, and letting go of it. */
export class FlushedStore {
  /** Runs that have ended and that the store is not known to have. */
  readonly unstored: UnstoredRuns = new UnstoredRuns(() => void this.flush())
  readonly #store: TraceStore
  readonly #made: TraceStore | undefined
  readonly #milliseconds: number
  readonly #onFailure: (error: unknown) => void
  #isClosed = false

  /**
   * @param store As the recorder calls it.
   * @param options `made`: the store as the program made it; absent if the recorder made it. `milliseconds`: how long a flush may take. `onFailure`:
   *   called if a flush fails.
   */
  constructor(
    store: TraceStore,
    options: { readonly made: TraceStore | undefined; readonly milliseconds: number; readonly onFailure: (error: unknown) => void },
  ) {
    this.#store = store
    this.#made = options.made
    this.#milliseconds = options.milliseconds
    this.#onFailure = options.onFailure
    if (this.#made !== undefined) users.set(this.#made, (users.get(this.#made) ?? 0) + 1)
  }

  /** Flushes the store. Resolves to why that failed or took too long; never rejects. */
  async flush(): Promise<StoreFailure | undefined> {
    try {
      await inTime(this.#flush(), this.#milliseconds, `it took longer than limits.closeMilliseconds (${this.#milliseconds})`)
      return undefined
    } catch (error) {
      this.#onFailure(error)
      return { error }
    }
  }

  /** Flushes the store for the last time, and lets go of it. Afterwards every run is stored or has failed. */
  async close(): Promise<void> {
    const failure = await this.flush()
    if (!this.#isClosed && this.#isReleased(failure)) this.#store.abandon?.()
    this.#isClosed = true
    // The flush is over, or nobody waits for it any more.
    this.unstored.failAll(failure ?? { error: new Error('the store did not confirm it') })
  }

  /** Counts the runs that only a flush tells of: whether it was in time or not. */
  async #flush(): Promise<void> {
    const end = this.unstored.beginFlush()
    try {
      await this.#store.flush?.()
      end()
    } catch (error) {
      end({ error })
      throw error
    }
  }

  /** A store that another recorder still uses, or that works, stays as it is. */
  #isReleased(failure: StoreFailure | undefined): boolean {
    if (this.#made === undefined) return true
    const others = (users.get(this.#made) ?? 1) - 1
    users.set(this.#made, others)
    return failure !== undefined && others === 0
  }
}
