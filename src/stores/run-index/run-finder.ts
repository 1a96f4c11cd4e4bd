import { rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'
import type { RunQuery, RunSummary } from '../run-summary.ts'
import { takeMatching } from '../draw-sample.ts'
import { isFound } from '../run-terms.ts'
import type { StoreFiles } from '../store-files.ts'
import { repeatedAmong } from '../repeated-effects.ts'
import type { FoundEffects, FoundRuns, ListQuery, StoredTrace } from '../trace-store.ts'
import { type IndexedRun, toIndexed } from './index-row.ts'
import { RunIndex } from './run-index.ts'
import { loadSqlite } from '../../node/load-sqlite.ts'

/** Called with the number of recordings read and the total. */
type OnReading = (read: number, of: number) => void

/** How long a look-up waits for another writer, in milliseconds. */
const WAIT = 5000

/** Up to this many runs, the directory is searched for unindexed recordings whenever it changes; beyond that, only at intervals. */
const MANY_RUNS = 20_000

/** The interval of these searches, in milliseconds. */
const NOW_AND_THEN = 600_000

/** A directory that changed this recently before it was read may change again with the same modification time. In milliseconds. */
const UNSURE = 2000

/** How many recordings are read before their summaries are written. */
const BATCH = 200

/** The most runs in flight that are checked for having ended. */
const MOST_IN_FLIGHT = 2000

/**
 * Finds runs in the index of a directory, after updating it with unindexed recordings, removed ones, and runs that ended without being indexed.
 * A lost, corrupted or outdated index is rebuilt. If no index is possible, every recording is read.
 */
export class RunFinder {
  readonly #files: StoreFiles
  readonly #read: (id: string) => Promise<StoredTrace | undefined>

  constructor(files: StoreFiles, read: (id: string) => Promise<StoredTrace | undefined>) {
    this.#files = files
    this.#read = read
  }

  async find(query: RunQuery, onReading: OnReading = () => undefined): Promise<FoundRuns> {
    if (statSync(this.#files.directory, { throwIfNoEntry: false }) === undefined) return { runs: [], unreadable: [] }
    if (query.indexedOnly === true) return { runs: (await this.#withIndex((index) => index.find(query))) ?? [], unreadable: [] }
    return this.#inIndex(
      (index) => this.#findInIndex(index, query),
      (why) => this.#scan(query, why, onReading),
      onReading,
      query.complete,
    )
  }

  /** Returns the total size of the indexed recordings in bytes. */
  async bytes(): Promise<number> {
    return (await this.#withIndex((index) => index.fact('bytes'))) ?? 0
  }

  /** Finds side effects that several of the runs made. */
  async findRepeatedEffects(query: RunQuery, onReading: OnReading = () => undefined): Promise<FoundEffects> {
    if (statSync(this.#files.directory, { throwIfNoEntry: false }) === undefined) return { effects: [], unreadable: [] }
    return this.#inIndex(
      async (index): Promise<FoundEffects> => ({ effects: index.findRepeatedEffects(query), unreadable: unreadableOf(index) }),
      (why) => this.#scanEffects(query, why, onReading),
      onReading,
    )
  }

  /** Runs a look-up in the index, after updating it, or in all recordings if no index is possible. */
  async #inIndex<Found>(
    lookUp: (index: RunIndex) => Promise<Found>,
    scan: (why: string) => Promise<Found>,
    onReading: OnReading,
    isComplete = false,
  ): Promise<Found> {
    if (loadSqlite() === undefined) return scan('this Node was built without node:sqlite')
    try {
      return await this.#inUpdatedIndex(lookUp, onReading, isComplete)
    } catch (error) {
      if (!isDamage(error)) return scan(`its index cannot be used: ${describe(error)}`)
    }
    rmSync(path.dirname(this.#files.indexFile), { recursive: true, force: true })
    return this.#inUpdatedIndex(lookUp, onReading, isComplete).catch((error: unknown) =>
      scan(`its index cannot be created: ${describe(error)}`),
    )
  }

  /** Returns the ids that match a query; undefined if the index does not know all recordings. */
  async list(query: ListQuery): Promise<string[] | undefined> {
    return this.#withIndex((index) => (this.#mayLack(index) ? undefined : index.list(query)))
  }

  /** Updates a run in the index from its recording. */
  async refresh(id: string): Promise<void> {
    await this.#withIndex(async (index) => index.transaction(put(index, await this.#summarize(id), id)))
  }

  /** Uses the index as it is. Returns undefined if it is missing or unusable; the next look-up rebuilds it. */
  async #withIndex<Result>(use: (index: RunIndex) => Result): Promise<Awaited<Result> | undefined> {
    if (statSync(this.#files.indexFile, { throwIfNoEntry: false }) === undefined) return undefined
    let index: RunIndex | undefined
    try {
      index = new RunIndex(this.#files.indexFile, WAIT)
      return await use(index)
    } catch (error) {
      if (isDamage(error)) rmSync(path.dirname(this.#files.indexFile), { recursive: true, force: true })
      return undefined
    } finally {
      index?.close()
    }
  }

  async #inUpdatedIndex<Found>(lookUp: (index: RunIndex) => Promise<Found>, onReading: OnReading, isComplete: boolean): Promise<Found> {
    const index = new RunIndex(this.#files.indexFile, WAIT)
    try {
      await this.#takeUp(index, onReading, isComplete)
      await this.#renew(
        index,
        [...index.inFlight(MOST_IN_FLIGHT), ...index.unreadable()].map(({ id }) => id),
      )
      return await lookUp(index)
    } finally {
      index.close()
    }
  }

  async #findInIndex(index: RunIndex, query: RunQuery): Promise<FoundRuns> {
    const found = index.find(query)
    // Recordings are only appended to. If one was changed by hand, its shown summary is still correct.
    const isChanged = await this.#renew(
      index,
      found.map(({ id }) => id),
    )
    return { runs: isChanged ? index.find(query) : found, unreadable: unreadableOf(index) }
  }

  /** Adds recordings that the index lacks, and removes recordings that are gone. */
  async #takeUp(index: RunIndex, onReading: OnReading, isComplete: boolean): Promise<void> {
    const changed = this.#files.changed()
    if (!this.#mayLack(index, isComplete)) return
    // In this order, so that a run added by its recorder in between does not count as gone.
    const known = new Set(index.ids())
    const ids = await this.#files.list()
    await this.#summarizeAll(
      index,
      ids.filter((id) => !known.delete(id)),
      onReading,
    )
    index.transaction(() => {
      for (const id of known) index.remove(id)
      index.setFact('runs', ids.length)
      index.setFact('looked', Date.now())
      index.setFact('changed', Date.now() - changed > UNSURE ? changed : 0)
    })
  }

  /**
   * Returns whether the directory has to be searched for unindexed recordings.
   *
   * @param isComplete Whether none may be missed. Default: a big directory is searched only at intervals.
   */
  #mayLack(index: RunIndex, isComplete = false): boolean {
    if (this.#files.changed() === index.fact('changed')) return false
    return isComplete || index.fact('runs') <= MANY_RUNS || Date.now() - index.fact('looked') >= NOW_AND_THEN
  }

  /** Reads changed recordings again. Returns whether there were any. */
  async #renew(index: RunIndex, ids: readonly string[]): Promise<boolean> {
    const changed = ids.filter((id) => {
      const [stamp, known] = [this.#files.stamp(id), index.get(id)]
      return stamp?.size !== known?.size || stamp?.changed !== known?.changed
    })
    await this.#summarizeAll(index, changed)
    return changed.length > 0
  }

  async #summarizeAll(index: RunIndex, ids: readonly string[], onReading: OnReading = () => undefined): Promise<void> {
    for (let start = 0; start < ids.length; start += BATCH) {
      onReading(start, ids.length)
      const runs: (readonly [id: string, run: IndexedRun | undefined])[] = []
      for (const id of ids.slice(start, start + BATCH)) runs.push([id, await this.#summarize(id)])
      index.transaction(() => {
        for (const [id, run] of runs) put(index, run, id)()
      })
    }
  }

  async #summarize(id: string): Promise<IndexedRun | undefined> {
    // Taken before reading, so that later additions cause another read.
    const stamp = this.#files.stamp(id)
    if (stamp === undefined) return undefined
    try {
      const stored = await this.#read(id)
      if (stored === undefined) return undefined
      const { summarizeRecording } = await import('../summarize-recording.ts')
      return { ...toIndexed(summarizeRecording(stored), stamp, this.#files.flags(id)), id }
    } catch (error) {
      if (!GoldenrunError.isInstance(error)) throw error
      // A file that could not be opened or read may be readable next time without having changed.
      return { id, problem: error.message, ...(isOfFileSystem(error.cause) ? { size: 0, changed: 0 } : stamp) }
    }
  }

  async #scan(query: RunQuery, why: string, onReading: OnReading): Promise<FoundRuns> {
    const { sample, limit = Infinity, before: _before, ...whole } = query
    const runs: RunSummary[] = []
    const unreadable: string[] = []
    const ids = (await this.#files.list()).toReversed()
    for (const [read, id] of ids.entries()) {
      if (read % BATCH === 0) onReading(read, ids.length)
      const run = await this.#summarize(id)
      if (run?.summary === undefined) {
        if (run !== undefined) unreadable.unshift(id)
      } else if ((sample !== undefined || runs.length < limit) && isFound(run.summary, sample === undefined ? query : whole))
        runs.push(run.summary)
    }
    return { runs: takeMatching(runs, query), unreadable, scanned: `Every recording was read, because ${why}.` }
  }

  async #scanEffects(query: RunQuery, why: string, onReading: OnReading): Promise<FoundEffects> {
    const { limit: _, ...filters } = query
    const all = await this.#scan(filters, why, onReading)
    const effects = repeatedAmong(all.runs).slice(0, query.limit ?? Infinity)
    return { effects, unreadable: all.unreadable, ...(all.scanned !== undefined && { scanned: all.scanned }) }
  }
}

function put(index: RunIndex, run: IndexedRun | undefined, id: string): () => void {
  return () => {
    if (run === undefined) return index.remove(id)
    // The recording of a new run is empty for a moment, when its recorder may already have indexed it.
    const isBeginning = run.problem !== undefined && run.size === 0 && index.get(id)?.summary !== undefined
    if (!isBeginning) index.put(run)
  }
}

function unreadableOf(index: RunIndex): string[] {
  return index.unreadable().map(({ id }) => id)
}

function isOfFileSystem(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}

/** Returns whether the error means that the file is not an index, or is corrupted. */
function isDamage(error: unknown): boolean {
  if (!(error instanceof Error) || !('errcode' in error)) return false
  const code = Number(error.errcode) & 0xff
  return code === 11 || code === 26 || code === 1
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
