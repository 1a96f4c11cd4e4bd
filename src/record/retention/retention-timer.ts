import { realTimers } from '../../node/real-timers.ts'
import { runOutside } from '../../run/scope.ts'
import { everyRun } from '../../stores/every-run.ts'
import { checkRetentionOptions, createRetention, type RetentionOptions } from '../../stores/retention.ts'
import type { TraceStore } from '../../stores/trace-store.ts'
import { OptionsError } from '../../trace/errors/options-error.ts'
import { warnOnce } from '../warn-once.ts'

/** When a recorder first looks for recordings that are not kept any longer, and how often after that, in milliseconds. */
const FIRST = 60_000
const THEN = 3_600_000

/** So many are removed in a pass at most, and so many looked at in one turn of the event loop. */
const MOST_REMOVED = 1000
const PAGE = 100

/**
 * Starts to remove recordings as the options say.
 *
 * @returns Undefined where they say nothing.
 * @throws OptionsError for options that are not as they have to be, and a store that cannot do it.
 */
export function startRetention(caller: string, options: RetentionOptions | undefined, store: TraceStore): RetentionTimer | undefined {
  if (options === undefined) return undefined
  checkRetentionOptions(caller, options)
  const missing = (['find', 'remove'] as const).find((capability) => store[capability] === undefined)
  if (missing !== undefined)
    throw new OptionsError(caller, 'retention', `takes a store that can find and remove runs; this one has no "${missing}".`)
  return new RetentionTimer(store as RemovingStore, options, warnOnce('recordings could not be removed as retention says'))
}

/** A store that can do what retention takes. */
export type RemovingStore = TraceStore & Required<Pick<TraceStore, 'find' | 'remove'>>

/** Removes recordings that are not kept any longer, now and then, while nothing waits for it. What fails in it is told once. */
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

  /** Goes through the store once. How many recordings it removed. */
  async pass(): Promise<number> {
    // What reads goldens is loaded by programs that need it.
    const [{ createGoldenDirectory }, { promotedSources }] = await Promise.all([
      import('../../stores/golden-directory.ts'),
      import('../../stores/promoted-sources.ts'),
    ])
    const promoted = await promotedSources(createGoldenDirectory())
    const retention = createRetention(this.#options, promoted, Date.now())
    let [seen, removed] = [0, 0]
    for await (const run of everyRun(this.#store, { indexedOnly: true }, PAGE)) {
      if (this.#isClosed || removed >= MOST_REMOVED) break
      seen += 1
      if (seen % PAGE === 0) await new Promise((resolve) => realTimers.setImmediate(resolve))
      if (retention.expires(run) === undefined) continue
      if (await this.#store.remove(run.id)) removed += 1
    }
    return removed
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
