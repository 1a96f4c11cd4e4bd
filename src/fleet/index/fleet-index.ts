import type { RunQuery } from '../../stores/run-summary.ts'
import { inParallel } from '../in-parallel.ts'
import { digest, hourOf, hourOfTime, isCompacted, isRunId, type KeyParts, keyOf, partsOf, prefixOf, termsOfName } from '../object-keys.ts'
import { storeContent } from '../store-content.ts'
import type { ObjectStorage, StoredObject } from '../storage/object-storage.ts'
import { type IndexReader, openIndex, writeIndex } from './index-file.ts'
import type { IndexedRun } from './indexed-run.ts'
import { ENTRY, lookUpTerm, mappedTerms } from './term-map.ts'

/** A range of hours, both ends included. */
interface Hours {
  readonly from: string
  readonly to: string
}

/** An index object of an hour. */
export interface IndexObject extends StoredObject, KeyParts {}

/** An index up to this size is read whole. */
const SMALL = 262_144
/** How many opened indexes are cached. */
const MOST_OPENED = 500
const AT_ONCE = 16
/** How many hours are read together when all runs are. */
const HOURS_AT_ONCE = 8
/** From how many runs of an index on it is read whole. */
const FEW = 4
/** How often a search restarts because an index was compacted in the meantime. */
const ATTEMPTS = 4

/** Thrown if an index is no longer there. */
class Vanished extends Error {}

/** The index of the runs in a bucket. */
export class FleetIndex {
  readonly #storage: ObjectStorage
  readonly #opened = new Map<string, Promise<IndexReader>>()
  readonly #classes = new Set<string>()

  constructor(storage: ObjectStorage) {
    this.#storage = storage
  }

  /** Returns the classes that have runs. */
  async classes(): Promise<readonly string[]> {
    const pages = await Array.fromAsync(this.#storage.list({ prefix: 'classes/' }))
    return pages.flat().map(({ key }) => decodeURIComponent(key.slice('classes/'.length)))
  }

  /** Adds runs of one class and one hour. */
  async add(className: string, hour: string, runs: readonly IndexedRun[]): Promise<void> {
    await this.announce(className)
    const sorted = runs.toSorted((one, other) => (one.summary.id < other.summary.id ? -1 : 1))
    const bytes = await writeIndex(sorted)
    await storeContent(this.#storage, keyOf(className, 'index', hour, digest(bytes)), bytes)
  }

  /** Registers a class. Has to be called before its first object is stored, because searches skip unregistered classes. */
  async announce(className: string): Promise<void> {
    if (this.#classes.has(className)) return
    await this.#storage.create(`classes/${encodeURIComponent(className)}`, new Uint8Array())
    this.#classes.add(className)
  }

  /** Returns the index objects of some hours. */
  async objects({ from, to }: Hours, classes?: readonly string[]): Promise<IndexObject[]> {
    const found = await inParallel(classes ?? (await this.classes()), AT_ONCE, async (className) => {
      const prefix = prefixOf(className, 'index')
      // `/` sorts before `0`.
      const query = { prefix, ...(from !== '' && { after: `${prefix}${from}` }), before: `${prefix}${to}0` }
      const pages = await Array.fromAsync(this.#storage.list(query))
      return pages.flat().flatMap((object): IndexObject[] => {
        const parts = partsOf(object.key)
        return parts === undefined ? [] : [{ ...object, ...parts }]
      })
    })
    return found.flat()
  }

  /** Finds the runs that match, the newest first. */
  async find(query: RunQuery): Promise<IndexedRun[]> {
    const { limit = Infinity } = query
    const terms = mappedTerms(query)
    return this.#search(hoursOf(query), limit, async (object, most) => this.#findIn(object, query, terms, most))
  }

  /** Yields all runs that match, the newest first. Lists the index once, and again only if it was compacted in the meantime. */
  async *all(query: RunQuery): AsyncGenerator<IndexedRun> {
    const terms = mappedTerms(query)
    let unread: string | undefined
    for (let attempt = 1; ; attempt += 1) {
      try {
        const byHour = Map.groupBy(await this.objects(hoursOf(query)), ({ hour }) => hour)
        const newest = [...byHour]
          .filter(([hour]) => unread === undefined || hour < unread)
          .toSorted(([one], [other]) => (one < other ? 1 : -1))
        for (let next = 0; next < newest.length; next += HOURS_AT_ONCE) {
          const hours = newest.slice(next, next + HOURS_AT_ONCE)
          const objects = hours.flatMap(([, some]) => some)
          const parts = await inParallel(objects, AT_ONCE, (object) => this.#findIn(object, query, terms, Infinity))
          // A run that is being moved is in two indexes of its hour.
          yield* newestOf(new Map(parts.flat().map((run) => [run.summary.id, run])), Infinity)
          unread = hours.at(-1)?.[0]
        }
        return
      } catch (error) {
        if (!(error instanceof Vanished) || attempt === ATTEMPTS) throw error
      }
    }
  }

  /** Returns the ids of the runs in some hours, the newest first. */
  async ids(hours: Hours, limit: number, prefix: string): Promise<string[]> {
    const found = await this.#search(hours, limit, async (object, most) => {
      const reader = await this.open(object)
      const ids: { readonly summary: { readonly id: string } }[] = []
      for (let group = reader.groups - 1; group >= 0 && ids.length < most; group -= 1)
        ids.push(...(await reader.readIds(group)).toReversed().flatMap((id) => (id.startsWith(prefix) ? [{ summary: { id } }] : [])))
      return ids
    })
    return found.map(({ summary }) => summary.id)
  }

  /** Finds where a run is stored: in more than one place while it is being moved. */
  async locate(id: string): Promise<IndexedRun[]> {
    const hour = hourOf(id)
    return this.#again(async () => {
      const found = await inParallel(await this.objects({ from: hour, to: hour }), AT_ONCE, (object) => this.#readSome(object, [id]))
      return found.flat()
    })
  }

  /** Reads some runs of an index object: of few runs, only their row groups. */
  async #readSome(object: IndexObject, ids: readonly string[]): Promise<readonly IndexedRun[]> {
    const wanted = new Set(ids)
    if (ids.length >= FEW) return (await this.readAll(object)).filter(({ summary }) => wanted.has(summary.id))
    const reader = await this.open(object)
    const groups = [...new Set(ids.flatMap((id) => reader.groupsOf(id)))]
    const runs = await Promise.all(groups.map((group) => reader.read(group)))
    return runs.flat().filter(({ summary }) => wanted.has(summary.id))
  }

  /** Finds where several runs are stored. */
  async locateAll(ids: readonly string[]): Promise<IndexedRun[]> {
    const known = ids.filter(isRunId)
    const [first, last] = [known.toSorted().at(0), known.toSorted().at(-1)]
    if (first === undefined || last === undefined) return []
    return this.#again(async () => {
      // One listing, however many hours there are.
      const objects = Map.groupBy(await this.objects({ from: hourOf(first), to: hourOf(last) }), ({ hour }) => hour)
      const found: IndexedRun[] = []
      for (const [hour, members] of Map.groupBy(known, hourOf))
        for (const object of objects.get(hour) ?? []) found.push(...(await this.#readSome(object, members)))
      return found
    })
  }

  /** Reads every run of an index object, the oldest first. */
  async readAll(object: IndexObject): Promise<readonly IndexedRun[]> {
    const reader = await this.open(object)
    const runs: IndexedRun[] = []
    for (let group = 0; group < reader.groups; group += 1) runs.push(...(await reader.read(group)))
    return runs
  }

  /** Opens an index object; rejects if it is no longer there. */
  open(object: StoredObject): Promise<IndexReader> {
    const known = this.#opened.get(object.key)
    if (known !== undefined) return known
    const opened = this.#open(object)
    this.#opened.set(object.key, opened)
    opened.catch(() => this.#opened.delete(object.key))
    const [oldest = ''] = this.#opened.keys()
    if (this.#opened.size > MOST_OPENED) this.#opened.delete(oldest)
    return opened
  }

  async #open({ key, size }: StoredObject): Promise<IndexReader> {
    const whole = size <= SMALL ? await this.#readRange(key, 0, size) : undefined
    return openIndex({
      byteLength: size,
      slice: async (from, to = size) => {
        const [start, end] = [from < 0 ? size + from : from, Math.min(to, size)]
        const bytes = whole?.subarray(start, end) ?? (await this.#readRange(key, start, end))
        return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer
      },
    })
  }

  async #readRange(key: string, from: number, to: number): Promise<Uint8Array> {
    const bytes = await this.#storage.getRange(key, from, to)
    if (bytes === undefined) throw new Vanished(key)
    return bytes
  }

  async #findIn(object: IndexObject, query: RunQuery, terms: readonly number[], most: number): Promise<IndexedRun[]> {
    const mapped = await this.#mappedGroups(object, terms)
    if (mapped?.length === 0) return []
    const reader = await this.open(object)
    const found: IndexedRun[] = []
    for (const group of mapped ?? Array.from({ length: reader.groups }, (_, index) => reader.groups - 1 - index)) {
      if (!reader.mayHold(group, query)) continue
      found.push(...(await reader.find(group, query)).toReversed())
      if (found.length >= most) break
    }
    return found
  }

  /** Returns the row groups that may hold runs with all terms, the newest first; undefined if there is no map of terms. */
  async #mappedGroups({ className, hour, name }: IndexObject, terms: readonly number[]): Promise<readonly number[] | undefined> {
    if (terms.length === 0 || !isCompacted(name)) return undefined
    const key = keyOf(className, 'terms', hour, name)
    const size = termsOfName(name) * ENTRY
    const [first = new Set<number>(), ...others] = await Promise.all(
      terms.map(async (term) => new Set(await lookUpTerm(term, size, (from, to) => this.#readRange(key, from, to)))),
    )
    return [...first].filter((group) => others.every((set) => set.has(group))).toSorted((one, other) => other - one)
  }

  async #search<Found extends { readonly summary: { readonly id: string } }>(
    hours: Hours,
    limit: number,
    read: (object: IndexObject, most: number) => Promise<Found[]>,
  ): Promise<Found[]> {
    return this.#again(async () => {
      const classes = await this.classes()
      const found = new Map<string, Found>()
      for (const window of windowsOf(hours, limit)) {
        const byHour = Map.groupBy(await this.objects(window, classes), ({ hour }) => hour)
        const newest = [...byHour].toSorted(([one], [other]) => (one < other ? 1 : -1)).map(([, objects]) => objects)
        for (
          let next = 0, size = limit === Infinity ? AT_ONCE : 1;
          next < newest.length;
          next += size, size = Math.min(size * 2, AT_ONCE)
        ) {
          const parts = await inParallel(newest.slice(next, next + size).flat(), AT_ONCE, (object) => read(object, limit))
          for (const run of parts.flat()) found.set(run.summary.id, run)
          if (found.size >= limit) return newestOf(found, limit)
        }
      }
      return newestOf(found, limit)
    })
  }

  async #again<Result>(search: () => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await search()
      } catch (error) {
        if (!(error instanceof Vanished) || attempt === ATTEMPTS) throw error
      }
    }
  }
}

/** Returns the hours in which the runs of a query started. */
function hoursOf({ since, until, before }: RunQuery): Hours {
  const ends = [...(until === undefined ? [] : [hourOfTime(until)]), ...(before === undefined ? [] : [hourOf(before)])]
  return { from: since === undefined ? '' : hourOfTime(since), to: ends.toSorted()[0] ?? '9' }
}

function newestOf<Found extends { readonly summary: { readonly id: string } }>(found: ReadonlyMap<string, Found>, limit: number): Found[] {
  const sorted = [...found.values()].toSorted((one, other) => (one.summary.id < other.summary.id ? 1 : -1))
  return limit === Infinity ? sorted : sorted.slice(0, limit)
}

/** How far back the newest runs are looked for, in hours, before all hours are listed. */
const BACK = [6, 48, 336]

/**
 * Yields the hours to look into, one window after the other, the newest first: a search for a few of the newest runs need not list every hour.
 *
 * @param limit The number of runs wanted.
 */
function* windowsOf({ from, to }: Hours, limit: number): Generator<Hours> {
  const now = Date.now()
  let end = to
  if (limit !== Infinity)
    for (const hours of BACK) {
      const start = hourOfTime(new Date(now - hours * 3_600_000).toISOString())
      if (start <= from || start > end) continue
      yield { from: start, to: end }
      end = hourOfTime(new Date(now - (hours + 1) * 3_600_000).toISOString())
    }
  if (end >= from) yield { from, to: end }
}
