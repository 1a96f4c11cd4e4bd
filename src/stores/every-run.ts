import type { RunQuery, RunSummary } from './run-summary.ts'
import type { TraceStore } from './trace-store.ts'

/** A store that can find runs. */
export type FindingStore = TraceStore & Required<Pick<TraceStore, 'find'>>

/** Returns whether a store can find runs. */
export function canFind(store: TraceStore): store is FindingStore {
  return store.find !== undefined
}

/** Options for reading the runs of a store. */
export interface EveryRunOptions {
  /** How many runs are read at once. Default: 1000. */
  readonly page?: number
  /** Called with the progress, if recordings have to be read. Default: nothing. */
  readonly onReading?: ((read: number, of: number) => void) | undefined
  /** Called with the ids of the recordings that cannot be read, which are then left out. Default: nothing. */
  readonly onUnreadable?: ((ids: readonly string[]) => void) | undefined
}

/** Yields the runs of a store, the newest first, reading them in pages or as the store does, because there may be millions. */
export async function* everyRun(
  store: FindingStore,
  query: RunQuery,
  { page = 1000, onReading, onUnreadable }: EveryRunOptions = {},
): AsyncGenerator<RunSummary> {
  if (store.findAll !== undefined) return yield* store.findAll(query, { onReading, onUnreadable })
  let before: string | undefined
  for (;;) {
    const asked = before === undefined ? query : { ...query, before, indexedOnly: true as const }
    const { runs, unreadable } = await store.find({ ...asked, limit: page }, onReading)
    if (before === undefined && unreadable.length > 0) onUnreadable?.(unreadable)
    yield* runs
    const last = runs.at(-1)
    if (last === undefined || runs.length < page) return
    before = last.id
  }
}
