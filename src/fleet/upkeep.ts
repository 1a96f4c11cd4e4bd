import { warn } from '../run/tell.ts'
import { summarizeRecording } from '../stores/summarize-recording.ts'
import type { ChangeRecording, Lease } from '../stores/trace-store.ts'
import { StorageError } from './errors/storage-error.ts'
import type { FleetWriter, PlacedRun } from './fleet-writer.ts'
import { inParallel } from './in-parallel.ts'
import type { FleetIndex, IndexObject } from './index/fleet-index.ts'
import { divide, entryOf } from './index/entries.ts'
import { type IndexedRun, placeOf } from './index/indexed-run.ts'
import { hoursWithPacks, packsOf, rewriteHour } from './index/rewrite-hour.ts'
import { damagedKey, hourOf, isCompacted, partsOf } from './object-keys.ts'
import { isDamage, readPack, type RunToPack } from './packs/pack.ts'
import { decodeRun, encodeRun, flagsOf, linesToLog } from './packs/run-entry.ts'
import type { ObjectStorage } from './storage/object-storage.ts'

/** Changes stored packs and indexes. One process at a time does, under the lease `index`. */
export class Upkeep {
  readonly #storage: ObjectStorage
  readonly #index: FleetIndex
  readonly #writer: FleetWriter
  /** Packs in no index that are damaged. */
  readonly #damaged = new Set<string>()

  constructor(storage: ObjectStorage, index: FleetIndex, writer: FleetWriter) {
    this.#storage = storage
    this.#index = index
    this.#writer = writer
  }

  /** Indexes the packs of an hour that no index lists because their shipper died. Remembers those that are damaged. */
  async recover(className: string, hour: string): Promise<void> {
    const [packs, objects] = await Promise.all([
      packsOf(this.#storage, className, hour),
      this.#index.objects({ from: hour, to: hour }, [className]),
    ])
    if (packs.length === 0) return
    const indexed = await inParallel(objects, 8, (object) => this.#index.readAll(object))
    const known = new Set(indexed.flat().map(({ place }) => place.pack))
    const lost = packs.filter((pack) => !known.has(pack))
    const found = await inParallel(lost, 4, (pack) => unlessDamaged(() => this.#summarize(pack)))
    const runs = found.flatMap((some) => some ?? [])
    if (runs.length > 0) await this.#index.add(className, hour, runs)
    for (const [index, pack] of lost.entries()) if (found[index] === undefined) this.#damaged.add(pack)
  }

  /** Indexes the packs of all hours that no index lists. Reads every index. Warns of packs that cannot be read. */
  async recoverAll(): Promise<void> {
    for (const className of await this.#index.classes())
      for (const hour of await hoursWithPacks(this.#storage, className)) await this.recover(className, hour)
    await this.#warnOfDamaged()
  }

  /** Names the packs that a search leaves out. */
  async #warnOfDamaged(): Promise<void> {
    const aside = (await Array.fromAsync(this.#storage.list({ prefix: damagedKey('') }))).flat().map(({ key }) => key)
    const left = [...this.#damaged, ...aside]
    if (left.length > 0)
      warn(`goldenrun did not search damaged packs: ${this.#storage.place}: ${left.join(', ')}. Delete those that are no longer needed.`)
  }

  /** Sets aside the damaged packs that were found. While another process holds the lease, they wait. */
  async setAsideDamaged(take: () => Promise<Lease | undefined>): Promise<void> {
    const lease = this.#damaged.size === 0 ? undefined : await take()
    if (lease === undefined) return
    try {
      await this.#setAside(lease)
    } finally {
      await lease.release()
    }
  }

  /**
   * Moves packs that are still damaged out of the way, with a warning that names each. The lease keeps a shipper from storing one again meanwhile.
   */
  async #setAside(lease: Lease): Promise<void> {
    for (const key of this.#damaged) {
      if (!(await lease.renew())) return
      this.#damaged.delete(key)
      const bytes = await this.#storage.get(key)
      const { place } = this.#storage
      if (bytes === undefined || (await unlessDamaged(async () => readPack(bytes, place))) !== undefined) continue
      await this.#storage.put(damagedKey(key), bytes)
      await this.#storage.delete(key)
      warn(
        `goldenrun set aside a damaged pack: ${place}: ${key} was moved to ${damagedKey(key)}. Its runs cannot be read. ` +
          'Those that are still in a spool are shipped from there.',
      )
    }
  }

  /** Compacts the indexes of all hours before the given one. Resolves to the number of hours compacted. */
  async compact(before: string, lease: Lease): Promise<number> {
    const objects = await this.#index.objects({ from: '', to: before })
    const hours = Map.groupBy(
      objects.filter(({ hour }) => hour < before),
      ({ className, hour }) => `${className}\n${hour}`,
    )
    let compacted = 0
    for (const group of hours.values()) {
      const [first] = group
      if (first === undefined || (group.length === 1 && isCompacted(first.name))) continue
      if (!(await lease.renew())) return compacted
      await this.recover(first.className, first.hour)
      await this.#setAside(lease)
      const all = await this.#index.objects({ from: first.hour, to: first.hour }, [first.className])
      await this.#rewrite(first.className, first.hour, all, new Set())
      compacted += 1
    }
    return compacted
  }

  /**
   * Removes runs from their packs and from the index.
   *
   * @throws StorageError if the lease is lost midway: another process is changing the index then, and some of the runs are not removed.
   */
  async remove(runs: readonly IndexedRun[], lease: Lease): Promise<void> {
    const hours = runs.map(({ summary }) => hourOf(summary.id)).toSorted()
    // One listing for all hours: only the holder of the lease replaces indexes.
    const listed = await this.#index.objects({ from: hours.at(0) ?? '', to: hours.at(-1) ?? '' })
    const byHour = Map.groupBy(runs, ({ summary, place }) => `${partsOf(place.pack)?.className ?? ''}\n${hourOf(summary.id)}`)
    for (const [group, members] of byHour) {
      if (!(await lease.renew())) throw this.#lost()
      const [className = '', hour = ''] = group.split('\n')
      const objects = listed.filter((object) => object.className === className && object.hour === hour)
      await this.#rewrite(className, hour, objects, new Set(members.map(entryOf)))
    }
  }

  #lost(): StorageError {
    const { place } = this.#storage
    const message = `${place}: changing the index took longer than its lease, and another process took it over. Some runs were not removed. Try again.`
    return new StorageError({ problem: 'unavailable', place, message })
  }

  /** Replaces recordings hour by hour, each hour under the lease; see `TraceStore.replaceEach`. */
  async replaceEach(
    underLease: (work: (lease: Lease) => Promise<void>) => Promise<void>,
    change: ChangeRecording,
    { onShared }: { readonly onShared?: (name: string, text: string) => void } = {},
  ): Promise<void> {
    if (onShared !== undefined) await this.#warnOfDamaged()
    if (onShared !== undefined)
      for await (const page of this.#storage.list({ prefix: 'dictionaries/' }))
        for (const { key } of page) onShared(key, Buffer.from((await this.#storage.get(key)) ?? []).toString())
    for (const className of await this.#index.classes())
      for (const hour of await hoursWithPacks(this.#storage, className))
        await underLease(async (lease) => {
          await this.recover(className, hour)
          const objects = await this.#index.objects({ from: hour, to: hour }, [className])
          const changed = await this.#changedIn(objects, change, lease)
          if (changed.size > 0) await this.#rewrite(className, hour, objects, new Set(), changed)
        })
  }

  /** Returns the new recordings of an hour, by their entries. Reads every pack: a killed process may have left a run in an old one as well. */
  async #changedIn(objects: readonly IndexObject[], change: ChangeRecording, lease: Lease): Promise<ReadonlyMap<string, string>> {
    const changed = new Map<string, string>()
    for (const [key, members] of Map.groupBy(await this.#entriesOf(objects), ({ place }) => place.pack)) {
      if (!(await lease.renew())) throw this.#lost()
      const bytes = await this.#storage.get(key)
      if (bytes === undefined) continue
      const file = `${this.#storage.place}: ${key}`
      const runs = await this.#salvage(bytes, members, file)
      if (runs.length < members.length) warn(`goldenrun could not read ${members.length - runs.length} damaged runs of a pack: ${file}.`)
      const { dictionary } = members[0]?.place ?? {}
      const known = dictionary === undefined ? undefined : await this.#writer.dictionaries.read(dictionary)
      for (const { id, flags, ...run } of runs) {
        const text = await change({ id, file: `${this.#storage.place}#${id}`, text: decodeRun(run, known, file), ...flagsOf(flags) })
        if (text !== undefined) changed.set(`${key}\n${id}`, text)
      }
    }
    return changed
  }

  /** Reads the entries of indexes, each once. */
  async #entriesOf(objects: readonly IndexObject[]): Promise<readonly IndexedRun[]> {
    const indexed = (await inParallel(objects, 8, (object) => this.#index.readAll(object))).flat()
    return [...new Map(indexed.map((run) => [entryOf(run), run])).values()]
  }

  /** Rewrites the index of an hour without some entries, and the packs that held them. @param changed New recordings, by their entries. Default: none. */
  async #rewrite(
    className: string,
    hour: string,
    objects: readonly IndexObject[],
    removed: ReadonlySet<string>,
    changed: ReadonlyMap<string, string> = new Map(),
  ): Promise<void> {
    const entries = await this.#entriesOf(objects)
    const { left, gone } = divide(entries, removed, await this.#packsOfDoubles(className, hour, entries))
    const stays = Map.groupBy(left, ({ place }) => place.pack)
    const packs = [...new Set([...gone, ...left.filter((run) => changed.has(entryOf(run)))].map(({ place }) => place.pack))]
    const moved = new Map<string, IndexedRun['place']>()
    await inParallel(packs, 8, async (key) => {
      const staying = stays.get(key) ?? []
      const placed = staying.length === 0 ? [] : await this.#repack(className, hour, key, staying, changed)
      for (const { id, place } of placed) moved.set(`${key}\n${id}`, place)
    })
    const rewritten = new Set(packs)
    const runs = left.flatMap((run): IndexedRun[] => {
      const place = rewritten.has(run.place.pack) ? moved.get(entryOf(run)) : run.place
      return place === undefined ? [] : [{ summary: summaryAfter(run, changed), place }]
    })
    // A killed process may already have stored the new packs: their keys follow from their runs.
    const kept = new Set(Array.from(moved.values(), ({ pack }) => pack))
    // Packs are removed before the old indexes: a leftover pack would be taken for a new one.
    await rewriteHour(this.#storage, objects, runs, async () => {
      await inParallel(
        packs.filter((key) => !kept.has(key)),
        16,
        (key) => this.#storage.delete(key),
      )
    })
  }

  /** Returns the packs of an hour, if a run has several entries there; else none, because nothing depends on them. */
  async #packsOfDoubles(className: string, hour: string, entries: readonly IndexedRun[]): Promise<ReadonlySet<string>> {
    const runs = new Set(entries.map(({ summary }) => summary.id))
    return new Set(runs.size === entries.length ? [] : await packsOf(this.#storage, className, hour))
  }

  /** Stores some runs of a pack in another pack. Those that are damaged are left out, with a warning. */
  async #repack(
    className: string,
    hour: string,
    key: string,
    runs: readonly IndexedRun[],
    changed: ReadonlyMap<string, string>,
  ): Promise<readonly PlacedRun[]> {
    const bytes = await this.#storage.get(key)
    if (bytes === undefined) return []
    const place = `${this.#storage.place}: ${key}`
    const whole = await unlessDamaged(async () => readPack(bytes, place))
    const ids = new Set(runs.map(({ summary }) => summary.id))
    const kept = whole?.runs.filter(({ id }) => ids.has(id)) ?? (await this.#salvage(bytes, runs, place))
    if (kept.length < ids.size) warn(`goldenrun left out ${ids.size - kept.length} damaged runs while it rewrote a pack: ${place}.`)
    if (kept.length === 0) return []
    const { dictionary } = runs[0]?.place ?? {}
    const known = dictionary === undefined || changed.size === 0 ? undefined : await this.#writer.dictionaries.read(dictionary)
    const packed = kept.map(({ id, encoding, bytes: run, flags }): RunToPack => {
      const text = changed.get(`${key}\n${id}`)
      return {
        id,
        ...(text === undefined ? { encoding, bytes: run } : encodeRun(linesToLog(Buffer.from(text)), text, known)),
        ...flagsOf(flags),
      }
    })
    return (await this.#writer.storePack(className, hour, packed, { dictionary, holdsLease: true })).places
  }

  /** Returns the runs of a damaged pack that can still be read where the index says they are. */
  async #salvage(bytes: Uint8Array, runs: readonly IndexedRun[], file: string): Promise<readonly RunToPack[]> {
    const read = async ({ summary: { id }, place }: IndexedRun): Promise<RunToPack[]> => {
      const { offset, length, encoding, flags, dictionary } = place
      const run = { id, encoding, bytes: bytes.subarray(offset, offset + length), ...(flags && { flags }) }
      if (run.bytes.length < length) return []
      const known = dictionary === undefined ? undefined : await this.#writer.dictionaries.read(dictionary)
      return (await unlessDamaged(async () => decodeRun(run, known, file))) === undefined ? [] : [run]
    }
    return (await inParallel(runs, 4, read)).flat()
  }

  async #summarize(key: string): Promise<IndexedRun[]> {
    const bytes = await this.#storage.get(key)
    if (bytes === undefined) return []
    const place = `${this.#storage.place}: ${key}`
    const { directory, runs } = readPack(bytes, place)
    const dictionary = directory.dictionary === undefined ? undefined : await this.#writer.dictionaries.read(directory.dictionary)
    return runs.map((run): IndexedRun => {
      const summary = summarizeRecording({ file: place, text: decodeRun(run, dictionary, place) })
      const flags = [...summary.flags, ...(run.flags ?? [])]
      return { summary: { ...summary, flags }, place: placeOf(key, run, directory.dictionary) }
    })
  }
}

/** Returns undefined if a pack turns out to be damaged. */
async function unlessDamaged<Result>(read: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await read()
  } catch (error) {
    if (!isDamage(error)) throw error
    return undefined
  }
}

/** Returns the summary of a run whose recording may have changed. */
function summaryAfter(run: IndexedRun, changed: ReadonlyMap<string, string>): IndexedRun['summary'] {
  const text = changed.get(entryOf(run))
  if (text === undefined) return run.summary
  const summary = summarizeRecording({ file: run.summary.id, text })
  return { ...summary, flags: [...summary.flags, ...(run.place.flags ?? [])] }
}
