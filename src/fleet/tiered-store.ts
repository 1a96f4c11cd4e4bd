import { parseDuration, DURATION_WORDS } from '../stores/amounts.ts'
import { canFind, everyRun } from '../stores/every-run.ts'
import { selectIds } from '../stores/list-ids.ts'
import type { RunQuery, RunSummary } from '../stores/run-summary.ts'
import type { FoundRuns, ReadingCallbacks, TraceStore } from '../stores/trace-store.ts'
import { checkKnownOptions, OptionsError } from '../trace/errors/options-error.ts'

/** The stores that a tiered store combines. */
export interface TieredStoreOptions {
  /** Where runs are recorded, usually a directory. */
  readonly hot: TraceStore
  /** Where runs are moved to, usually a bucket. */
  readonly cold: TraceStore
  /** How long runs stay in the hot store: a duration, `'72h'`. After that, `goldenrun ship` moves them. */
  readonly after: string
}

/** A store that writes to one store and reads from two. */
export interface TieredStore extends TraceStore {
  readonly hot: TraceStore
  readonly cold: TraceStore
  /** In milliseconds. */
  readonly after: number
}

/**
 * Creates a store that records into `hot` and also reads `cold`, to which `npx goldenrun ship` moves runs. Its capabilities are those of `hot`.
 * Finding, flagging and removing reach both stores.
 *
 * @throws OptionsError for invalid options.
 * @example
 * const store = createTieredStore({ hot: createDirectoryStore('.goldenrun/runs'), cold: createS3Store('s3://recordings'), after: '72h' })
 */
export function createTieredStore(options: TieredStoreOptions): TieredStore {
  checkKnownOptions('createTieredStore', options, ['hot', 'cold', 'after'])
  const { hot, cold } = options
  const after = parseDuration(options.after)
  if (after === undefined) throw new OptionsError('createTieredStore', 'after', `has to be ${DURATION_WORDS}.`)
  const both = [hot, cold]
  const can = (name: keyof TraceStore): boolean => both.every((store) => store[name] !== undefined)
  return {
    hot,
    cold,
    after,
    open: (header) => hot.open(header),
    list: async (query = {}) => selectIds((await Promise.all(both.map((store) => store.list(query)))).flat(), query),
    read: async (id) => (await hot.read(id)) ?? cold.read(id),
    ...(hot.index && { index: (summary: RunSummary) => hot.index?.(summary) }),
    ...(hot.locate && { locate: (id: string) => hot.locate?.(id) ?? id }),
    ...(can('find') && {
      find: (query: RunQuery, onReading?: (read: number, of: number) => void) => findInBoth(hot, cold, query, onReading),
    }),
    ...(can('find') &&
      (hot.findAll ?? cold.findAll) && { findAll: (query: RunQuery, told?: ReadingCallbacks) => allInBoth(hot, cold, query, told) }),
    ...(can('readStep') && {
      readStep: async (id: string, step: number) => {
        const rows = (await hot.readStep?.(id, step)) ?? []
        return rows.length > 0 ? rows : ((await cold.readStep?.(id, step)) ?? [])
      },
    }),
    ...(can('readLog') && { readLog: async (id: string) => (await hot.readLog?.(id)) ?? cold.readLog?.(id) }),
    ...(can('remove') && {
      remove: async (id: string) => {
        const removed = await Promise.all(both.map(async (store) => await store.remove?.(id)))
        return removed.includes(true)
      },
    }),
    ...(can('removeMany') && {
      removeMany: async (ids: readonly string[]) => {
        const removed = new Set((await Promise.all(both.map(async (store) => (await store.removeMany?.(ids)) ?? []))).flat())
        return ids.filter((id) => removed.has(id))
      },
    }),
    ...(can('flag') && {
      flag: async (id: string, reason: string) => ((await hot.flag?.(id, reason)) === true ? true : (cold.flag?.(id, reason) ?? false)),
    }),
    ...(hot.adopt && { adopt: async (...args: Parameters<NonNullable<TraceStore['adopt']>>) => hot.adopt?.(...args) }),
    ...(hot.lease && { lease: async (name: string, milliseconds: number) => hot.lease?.(name, milliseconds) }),
    ...(hot.flush && { flush: async () => hot.flush?.() }),
    ...((hot.abandon ?? cold.abandon) && { abandon: () => both.forEach((store) => store.abandon?.()) }),
    ...(hot.reports && { reports: (onFailure: (id: string, error: unknown) => void) => hot.reports?.(onFailure) }),
  }
}

/** Returns whether a store is tiered. */
export function isTiered(store: TraceStore): store is TieredStore {
  return 'hot' in store && 'cold' in store
}

/** Yields the runs of both stores, the newest first. A run in both is the hot store's. */
async function* allInBoth(hot: TraceStore, cold: TraceStore, query: RunQuery, told?: ReadingCallbacks): AsyncGenerator<RunSummary> {
  const rest = query.indexedOnly === true ? [hot] : [hot, cold]
  const streams = rest.filter(canFind).map((store) => everyRun(store, query, told))
  const next = await Promise.all(streams.map((stream) => stream.next()))
  for (;;) {
    const newest = next.reduce((most, { value, done }) => (done !== true && value.id > most ? value.id : most), '')
    if (newest === '') return
    const held = next.map(({ value, done }) => done !== true && value.id === newest)
    const found = next[held.indexOf(true)]
    if (found?.done === false) yield found.value
    for (const [index, stream] of streams.entries()) if (held[index] === true) next[index] = await stream.next()
  }
}

async function findInBoth(
  hot: TraceStore,
  cold: TraceStore,
  query: RunQuery,
  onReading?: (read: number, of: number) => void,
): Promise<FoundRuns> {
  const [inHot, inCold] = await Promise.all([hot.find?.(query, onReading), query.indexedOnly === true ? undefined : cold.find?.(query)])
  const runs = new Map([...(inCold?.runs ?? []), ...(inHot?.runs ?? [])].map((run) => [run.id, run]))
  const newest = [...runs.values()].toSorted((one, other) => (one.id < other.id ? 1 : -1))
  const scanned = inHot?.scanned ?? inCold?.scanned
  return {
    runs: newest.slice(0, query.limit),
    unreadable: [...(inHot?.unreadable ?? []), ...(inCold?.unreadable ?? [])],
    ...(scanned === undefined ? {} : { scanned }),
  }
}
