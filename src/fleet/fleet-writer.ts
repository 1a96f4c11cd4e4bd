import { isDeepStrictEqual } from 'node:util'
import { knownOrMade } from '../trace/remember.ts'
import type { RunSummary } from '../stores/run-summary.ts'
import { changeUnderLease } from './change-under-lease.ts'
import { Dictionaries } from './dictionaries.ts'
import { StorageError } from './errors/storage-error.ts'
import type { FleetIndex } from './index/fleet-index.ts'
import { type IndexedRun, placeOf } from './index/indexed-run.ts'
import { digest, hourOf, keyOf } from './object-keys.ts'
import { readPack, type RunToPack, writePack } from './packs/pack.ts'
import { isLog } from '../stores/event-log/read-log.ts'
import { decodeRun, encodeRun } from './packs/run-entry.ts'
import { storeContent } from './store-content.ts'
import type { ObjectStorage } from './storage/object-storage.ts'

/** A finished run that is about to be stored. */
export interface FinishedRun {
  readonly summary: RunSummary
  /** Its recording as a log. */
  readonly log: Uint8Array
  /** Its recording as JSON lines. */
  readonly lines: string
  /** Why users flagged it. Default: none. */
  readonly flags?: readonly string[]
  /** Stores the log byte by byte. Default: its lines are compressed again, with a dictionary. */
  readonly isExact?: true
}

/** How runs are stored. */
interface WriteOptions {
  readonly isChecked?: boolean
  readonly className?: string
  readonly holdsLease?: boolean
}

/** Where a run was stored. */
export interface PlacedRun {
  readonly id: string
  readonly place: IndexedRun['place']
}

/** The most runs in a pack. */
export const PACK_SIZE = 100

/** Packs runs, stores the packs, and adds them to the index. */
export class FleetWriter {
  readonly dictionaries: Dictionaries
  readonly #storage: ObjectStorage
  readonly #index: FleetIndex
  /** The retention class of a run. */
  readonly classOf: (run: RunSummary) => string

  constructor(storage: ObjectStorage, index: FleetIndex, classOf: (run: RunSummary) => string) {
    this.dictionaries = new Dictionaries(storage)
    this.#storage = storage
    this.#index = index
    this.classOf = classOf
  }

  /** Returns the group of a run: runs of one group share packs. */
  groupOf({ id, agent, agentVersion }: RunSummary, className: string): string {
    return JSON.stringify([className, hourOf(id), agent, agentVersion])
  }

  /**
   * Stores runs. Resolves once they are in the index.
   *
   * @param options `isChecked`: packs are read back and compared with the runs. `className`: replaces the class of each run. `holdsLease`: the
   *   caller holds the lease `index`.
   */
  async write(runs: readonly FinishedRun[], { isChecked = false, className, holdsLease = false }: WriteOptions = {}): Promise<void> {
    const { abandoned } = this.#storage
    const classOf = (run: FinishedRun): string => className ?? this.classOf(run.summary)
    const byIndex = new Map<string, { readonly className: string; readonly hour: string; readonly runs: IndexedRun[] }>()
    for (const group of Map.groupBy(runs, (run) => this.groupOf(run.summary, classOf(run))).values())
      for (let start = 0; start < group.length; start += PACK_SIZE) {
        const part = group.slice(start, start + PACK_SIZE)
        const [first] = part
        if (first === undefined) continue
        abandoned.throwIfAborted()
        const place = { className: classOf(first), hour: hourOf(first.summary.id) }
        const entry = knownOrMade(byIndex, JSON.stringify(place), () => ({ ...place, runs: [] }))
        entry.runs.push(...(await this.#pack(place.className, place.hour, part, { isChecked, holdsLease })))
      }
    for (const { className: name, hour, runs: indexed } of byIndex.values()) {
      abandoned.throwIfAborted()
      await this.#index.add(name, hour, indexed)
    }
  }

  async #pack(className: string, hour: string, runs: readonly FinishedRun[], options: WriteOptions): Promise<IndexedRun[]> {
    const [first] = runs
    if (first === undefined) return []
    const { agent, agentVersion } = first.summary
    const recordings = runs.map(({ lines }) => lines)
    const dictionary = await this.dictionaries.of(agent, agentVersion, recordings)
    const entries = runs.map(({ summary, log, lines, flags = [], isExact }): RunToPack => ({
      id: summary.id,
      ...(isExact === true && isLog(log) ? { encoding: 'log', bytes: log } : encodeRun(log, lines, dictionary?.bytes)),
      ...(flags.length === 0 ? {} : { flags }),
    }))
    const stored = await this.storePack(className, hour, entries, { dictionary: dictionary?.key, holdsLease: options.holdsLease })
    if (options.isChecked === true) await this.#check(stored.key, runs)
    const summaries = new Map(runs.map(({ summary }) => [summary.id, summary]))
    return stored.places.flatMap(({ id, place }) => {
      const summary = summaries.get(id)
      return summary === undefined ? [] : [{ summary, place }]
    })
  }

  /**
   * Stores a pack under a name derived from its runs, so that storing it again is harmless. A damaged pack of that name is replaced, under the lease
   * `index`: another process may be setting it aside.
   */
  async storePack(
    className: string,
    hour: string,
    entries: readonly RunToPack[],
    { dictionary, holdsLease }: { readonly dictionary: string | undefined; readonly holdsLease: boolean | undefined },
  ): Promise<{ readonly key: string; readonly places: readonly PlacedRun[] }> {
    await this.#index.announce(className)
    const { bytes, directory } = writePack(entries, dictionary)
    const key = keyOf(className, 'packs', hour, digest(bytes))
    const put = (): Promise<void> => this.#storage.put(key, bytes)
    await storeContent(this.#storage, key, bytes, () => (holdsLease === true ? put() : changeUnderLease(this.#storage, put)))
    return { key, places: directory.runs.map((run) => ({ id: run.id, place: placeOf(key, run, dictionary) })) }
  }

  /** @throws StorageError if a stored pack differs from the runs written to it. */
  async #check(key: string, runs: readonly FinishedRun[]): Promise<void> {
    const place = `${this.#storage.place}: ${key}`
    const bytes = await this.#storage.get(key)
    const pack = bytes && readPack(bytes, place)
    const dictionary = pack?.directory.dictionary === undefined ? undefined : await this.dictionaries.read(pack.directory.dictionary)
    const stored = pack?.runs.map((run) => [run.id, decodeRun(run, dictionary, place)])
    const wanted = runs.map(({ summary, lines }) => [summary.id, lines])
    if (isDeepStrictEqual(stored, wanted)) return
    const message = `${place}: the pack that was read back differs from the one that was stored. Nothing was removed locally.`
    throw new StorageError({ problem: 'damaged', place: this.#storage.place, message })
  }
}
