import { realTimers } from '../../node/real-timers.ts'
import { runOutside } from '../../run/scope.ts'
import { everyRun } from '../../stores/every-run.ts'
import { checkRetentionOptions, createRetention, fitsWithin, type RetentionOptions } from '../../stores/retention.ts'
import type { TraceStore } from '../../stores/trace-store.ts'
import { underLease } from '../../stores/under-lease.ts'
import { OptionsError } from '../../trace/errors/options-error.ts'
import { warnOnce } from '../warn-once.ts'

/** When a recorder first looks for expired recordings, and how often after that, in milliseconds. */
const FIRST = 60_000
const THEN = 3_600_000

/** The maximum removed in a pass, and the number looked at and removed in one turn of the event loop. */
const MOST_REMOVED = 100_000
const PAGE = 100

/** Each page of a store elsewhere costs requests. */
const PAGE_ELSEWHERE = 2000

/** How many are removed from a store elsewhere at once, in whole hours: a bucket rewrites the index of an hour each time. */
const REMOVED_ELSEWHERE = 10_000
/** The length of the prefix of a run's id that gives its hour: `20261121-02`. */
const HOUR = 11

/**
 * Starts to remove recordings according to the options.
 *
 * @returns Undefined if the options set no retention.
 * @throws OptionsError for invalid options, and for a store that does not support retention.
 */
export function startRetention(caller: string, options: RetentionOptions | undefined, store: TraceStore): RetentionTimer | undefined {
  if (options === undefined) return undefined
  checkRetentionOptions(caller, options)
  const missing = (['find', 'remove'] as const).find((capability) => store[capability] === undefined)
  if (missing !== undefined)
    throw new OptionsError(caller, 'retention', `needs a store that can find and remove runs; this one has no "${missing}".`)
  return new RetentionTimer(store as RemovingStore, options, warnOnce('could not remove expired recordings'))
}

async function removeRuns(store: RemovingStore, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  if (store.removeMany !== undefined) return (await store.removeMany(ids)).length
  let removed = 0
  for (const id of ids) if (await store.remove(id)) removed += 1
  return removed
}

/** A store with the capabilities that retention needs. */
export type RemovingStore = TraceStore & Required<Pick<TraceStore, 'find' | 'remove'>>

/** Removes expired recordings in the background, once an hour. Only the first failure is reported. */
export class RetentionTimer {
  readonly #store: RemovingStore
  readonly #options: RetentionOptions
  readonly #onFailure: (error: unknown) => void
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(store: RemovingStore, options: RetentionOptions, onFailure: (error: unknown) => void) {
    this.#store = store
    this.#options = options
    this.#onFailure = onFailure
    this.#wait(FIRST)
  }

  close(): void {
    this.#isClosed = true
    realTimers.clearTimeout(this.#timer)
  }

  /** Goes through the store once, unless another process is doing so. Returns how many recordings it removed. */
  async pass(): Promise<number> {
    return (await underLease(this.#store, 'retention', (holds) => this.#remove(holds)))?.result ?? 0
  }

  async #remove(holds: () => Promise<boolean>): Promise<number> {
    const bytes = await this.#store.size?.()
    if (bytes !== undefined && fitsWithin(this.#options, bytes)) return 0
    // Loaded here, because not every program needs the code that reads goldens.
    const [{ createGoldenDirectory }, { promotedSources }] = await Promise.all([
      import('../../stores/golden-directory.ts'),
      import('../../stores/promoted-sources.ts'),
    ])
    const promoted = await promotedSources(createGoldenDirectory())
    const retention = createRetention(this.#options, promoted, Date.now())
    let [seen, removed, hour] = [0, 0, '']
    let expired: string[] = []
    // Of goldenrun's stores, only the directory knows its size and removes files on this thread.
    const isElsewhere = this.#store.size === undefined
    const remove = async (): Promise<void> => {
      removed += await removeRuns(this.#store, expired)
      expired = []
    }
    const page = isElsewhere ? PAGE_ELSEWHERE : PAGE
    for await (const run of everyRun(this.#store, { indexedOnly: true }, { page })) {
      const mayRemove = !isElsewhere || run.id.slice(0, HOUR) !== hour
      hour = run.id.slice(0, HOUR)
      if (isElsewhere && mayRemove && expired.length >= REMOVED_ELSEWHERE) await remove()
      if (this.#isClosed || (mayRemove && removed >= MOST_REMOVED)) break
      seen += 1
      if (retention.expires(run) !== undefined) expired.push(run.id)
      if (seen % PAGE !== 0) continue
      await new Promise((resolve) => realTimers.setImmediate(resolve))
      if (!(await holds())) return removed
      if (!isElsewhere) await remove()
    }
    return removed + (await removeRuns(this.#store, expired))
  }

  #wait(delay: number): void {
    this.#timer = runOutside(() => realTimers.setTimeout(() => void this.#passAndWait(), delay).unref())
  }

  async #passAndWait(): Promise<void> {
    try {
      await this.pass()
    } catch (error) {
      this.#onFailure(error)
    }
    if (!this.#isClosed) this.#wait(THEN)
  }
}
