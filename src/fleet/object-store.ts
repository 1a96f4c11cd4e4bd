import type { Row } from '../trace/rows.ts'
import type { RunRow } from '../trace/run-row.ts'
import { createRetention, type RetentionOptions } from '../stores/retention.ts'
import { stepOf } from '../stores/event-log/read-log-step.ts'
import { toStoredLog } from '../stores/stored-log.ts'
import { RETENTION_CLASSES } from '../stores/retention-prefix.ts'
import { takeMatching } from '../stores/draw-sample.ts'
import { selectIds } from '../stores/list-ids.ts'
import type { RunQuery, RunSummary } from '../stores/run-summary.ts'
import { isFound } from '../stores/run-terms.ts'
import { summarizeRecording } from '../stores/summarize-recording.ts'
import type { FoundRuns, Lease, ListQuery, StoredLog, StoredTrace, TraceStore, TraceWriter } from '../stores/trace-store.ts'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import { type FinishedRun, FleetWriter } from './fleet-writer.ts'
import { FleetIndex } from './index/fleet-index.ts'
import type { IndexedRun } from './index/indexed-run.ts'
import { checkRunId, hourOf, partsOf } from './object-keys.ts'
import { takeLease } from './object-lease.ts'
import { OpenRun } from './open-run.ts'
import { decodeRun, flagsOf, linesOf, linesToLog, toLog } from './packs/run-entry.ts'
import { readPackedRun } from './read-packed-run.ts'
import { PutQueue } from './put-queue.ts'
import type { ObjectStorage } from './storage/object-storage.ts'
import { changeUnderLease, INDEX_LEASE } from './change-under-lease.ts'
import { Upkeep } from './upkeep.ts'

/** A store in object storage. Implements every optional capability except `size`, `findRepeatedEffects` and `replace`. */
export class ObjectStore implements Required<Omit<TraceStore, 'findRepeatedEffects' | 'replace' | 'size'>> {
  /** Its URL, without credentials. */
  readonly place: string
  readonly #storage: ObjectStorage
  readonly #index: FleetIndex
  readonly #writer: FleetWriter
  readonly #upkeep: Upkeep
  readonly #packed: Parameters<typeof readPackedRun>[0]
  readonly #queue: PutQueue
  /** Runs that are not stored yet. */
  readonly #open = new Map<string, OpenRun>()
  #report: (id: string, error: unknown) => void = () => undefined

  constructor(storage: ObjectStorage, retention: RetentionOptions = {}) {
    this.place = storage.place
    this.#storage = storage
    this.#index = new FleetIndex(storage)
    this.#writer = new FleetWriter(storage, this.#index, createRetention(retention, new Set(), 0).ruleOf)
    this.#packed = { storage, index: this.#index, dictionaries: this.#writer.dictionaries }
    this.#upkeep = new Upkeep(storage, this.#index, this.#writer)
    this.#queue = new PutQueue(storage.place, (runs) => this.#writer.write(runs))
  }

  open({ id }: RunRow): TraceWriter {
    checkRunId(id)
    const run = new OpenRun(
      id,
      (closed) => this.#close(closed),
      () => this.#open.delete(id),
    )
    this.#open.set(id, run)
    return run
  }

  index(summary: RunSummary): void {
    const run = this.#open.get(summary.id)
    if (run !== undefined) run.summary = summary
  }

  locate(id: string): string {
    return `${this.place}#${encodeURIComponent(id)}`
  }

  async list(query: ListQuery = {}): Promise<string[]> {
    const { prefix = '', newest, limit = Infinity } = query
    await this.#queue.idle()
    const own = [...this.#open.values()].flatMap(({ id, lines }) => (lines !== '' && id.startsWith(prefix) ? [id] : []))
    // Ids begin with their hour.
    const hours = { from: hourOf(prefix), to: `${hourOf(prefix)}9` }
    const stored = await this.#index.ids(prefix === '' ? { from: '', to: '9' } : hours, newest === true ? limit : Infinity, prefix)
    return selectIds([...own, ...stored], query)
  }

  async find(query: RunQuery): Promise<FoundRuns> {
    const { sample, before: _before, limit, ...whole } = query
    if (sample !== undefined) return { runs: takeMatching((await this.find(whole)).runs, query), unreadable: [] }
    const own = await this.#unstored(query)
    const stored = await this.#index.find(query)
    const runs = new Map([...stored.map(({ summary }) => summary), ...own].map((run) => [run.id, this.#named(run)]))
    const newest = [...runs.values()].toSorted((one, other) => (one.id < other.id ? 1 : -1))
    return { runs: newest.slice(0, limit), unreadable: [] }
  }

  async *findAll(query: RunQuery): AsyncGenerator<RunSummary> {
    const waiting = (await this.#unstored(query)).toSorted((one, other) => (one.id < other.id ? -1 : 1))
    const isOwn = new Set(waiting.map(({ id }) => id))
    for await (const { summary } of this.#index.all(query)) {
      while ((waiting.at(-1)?.id ?? '') > summary.id) yield* waiting.splice(-1).map((run) => this.#named(run))
      if (!isOwn.has(summary.id)) yield this.#named(summary)
    }
    for (const run of waiting.toReversed()) yield this.#named(run)
  }

  /** Returns the runs that match and are not stored yet. If the query is complete, first indexes the packs that no index lists. */
  async #unstored(query: RunQuery): Promise<RunSummary[]> {
    await this.#queue.idle()
    if (query.complete === true) await this.#upkeep.recoverAll()
    return [...this.#open.values()].flatMap(({ known }) => (known !== undefined && isFound(known, query) ? [known] : []))
  }

  #named(run: RunSummary): RunSummary {
    return { ...run, file: this.#fileOf(run.id) }
  }

  async read(id: string): Promise<StoredTrace | undefined> {
    const own = await this.#settled(id)
    if (own !== undefined) return own.lines === '' ? undefined : { file: this.#fileOf(id), text: own.lines, ...flagsOf(own.flags) }
    const file = this.#fileOf(id)
    return readPackedRun(this.#packed, id, ({ place }, bytes, dictionary) => ({
      file,
      text: decodeRun({ ...place, bytes }, dictionary, file),
      ...flagsOf(place.flags),
    }))
  }

  async readLog(id: string): Promise<StoredLog | undefined> {
    const own = await this.#settled(id)
    const file = this.#fileOf(id)
    if (own !== undefined)
      return own.lines === '' ? undefined : toStoredLog(linesToLog(Buffer.from(own.lines)), { id, file, ...flagsOf(own.flags) })
    return readPackedRun(this.#packed, id, ({ place }, bytes, dictionary) =>
      toStoredLog(toLog({ ...place, bytes }, dictionary, file), { id, file, ...flagsOf(place.flags) }),
    )
  }

  async readStep(id: string, step: number): Promise<Row[]> {
    const stored = await this.read(id)
    return stored === undefined ? [] : stepOf(stored, step)
  }

  async adopt(log: StoredLog, summary: RunSummary): Promise<void> {
    checkRunId(log.id)
    if ((await this.#settled(log.id)) !== undefined || (await this.#index.locate(log.id)).length > 0) return
    const bytes = await log.bytes()
    if (bytes.length !== log.size)
      throw new GoldenrunError('GOLDENRUN_STORAGE', `${log.file} is incomplete: it has ${bytes.length} of ${log.size} bytes.`)
    const finished = {
      isExact: true as const,
      summary,
      log: bytes,
      lines: linesOf(bytes, log.file),
      ...(log.flags && { flags: log.flags }),
    }
    await new Promise<void>((resolve, reject) =>
      this.#queue.add({
        id: log.id,
        size: bytes.length + finished.lines.length,
        finish: () => finished,
        settle: (error) => (error === undefined ? resolve() : reject(error)),
      }),
    )
  }

  async remove(id: string): Promise<boolean> {
    return (await this.removeMany([id])).length > 0
  }

  async removeMany(ids: readonly string[]): Promise<readonly string[]> {
    await this.#queue.idle()
    const removed = new Set(ids.filter((id) => this.#open.delete(id)))
    if ((await this.#index.locateAll(ids)).length === 0) return ids.filter((id) => removed.has(id))
    await changeUnderLease(this.#storage, async (lease) => {
      // The previous holder of the lease may have moved them.
      const places = await this.#index.locateAll(ids)
      await this.#upkeep.remove(places, lease)
      for (const { summary } of places) removed.add(summary.id)
    })
    return ids.filter((id) => removed.has(id))
  }

  async replaceEach(...given: Parameters<NonNullable<TraceStore['replaceEach']>>): Promise<void> {
    await this.#queue.idle()
    await this.#upkeep.replaceEach((work) => changeUnderLease(this.#storage, work), ...given)
  }

  async flag(id: string, reason: string): Promise<boolean> {
    const own = await this.#settled(id)
    if (own !== undefined) {
      own.flags.push(reason)
      return true
    }
    if ((await this.#index.locateAll([id])).length === 0) return false
    return changeUnderLease(this.#storage, async (lease) => {
      // The previous holder of the lease may have moved it.
      const places = await this.#index.locateAll([id])
      const run = places.toSorted((one, other) => other.summary.flags.length - one.summary.flags.length)[0]
      const stored = run && (await this.readLog(id))
      if (run === undefined || stored === undefined) return false
      const log = await stored.bytes()
      const flags = [...(run.place.flags ?? []), reason]
      const summary = { ...run.summary, flags: [...run.summary.flags, reason] }
      const finished: FinishedRun = { summary, log, lines: linesOf(log, stored.file), flags }
      await this.#writer.write([finished], { className: this.#classAfter(run, summary), holdsLease: true })
      await this.#upkeep.remove(places, lease)
      return true
    })
  }

  /** The class of a run after a further flag. Commands may not know the rules by tag, so a run stays in the class of its tag unless it is promoted. */
  #classAfter({ place }: IndexedRun, summary: RunSummary): string {
    const [before = '', after] = [partsOf(place.pack)?.className, this.#writer.classOf(summary)]
    return after === 'promoted' || RETENTION_CLASSES.some((name) => name === before) ? after : before
  }

  async lease(name: string, milliseconds: number): Promise<Lease | undefined> {
    return takeLease(this.#storage, name, milliseconds)
  }

  reports(onFailure: (id: string, error: unknown) => void): void {
    this.#report = onFailure
  }

  async flush(): Promise<void> {
    await this.#queue.idle()
    const failure = this.#queue.takeFailure()
    if (failure !== undefined) throw failure.error
  }

  abandon(): void {
    this.#queue.abandon()
    this.#storage.abandon()
  }

  /** Stores finished runs in packs and reads each pack back to compare it. Resolves when the runs are in the index. */
  async adoptMany(runs: readonly FinishedRun[]): Promise<void> {
    await this.#writer.write(runs, { isChecked: true })
  }

  /** Sets aside the damaged packs that `idsOfHours` found, except those that were stored again since. While another process changes the index, they wait. */
  async setAsideDamaged(): Promise<void> {
    await this.#upkeep.setAsideDamaged(() => this.lease('index', INDEX_LEASE))
  }

  /** Returns the ids of the stored runs of some hours. First indexes packs that no index lists because their shipper died. */
  async idsOfHours(hours: ReadonlySet<string>): Promise<readonly string[]> {
    const classes = await this.#index.classes()
    const ids: string[] = []
    for (const hour of hours) {
      for (const className of classes) await this.#upkeep.recover(className, hour)
      ids.push(...(await this.#index.ids({ from: hour, to: hour }, Infinity, '')))
    }
    return ids
  }

  /**
   * Compacts the indexes of all hours before the given one, such as `20261121-02`.
   *
   * @returns The number of hours compacted; undefined if another process is compacting.
   */
  async compact(before: string): Promise<number | undefined> {
    const lease = await this.lease('index', INDEX_LEASE)
    if (lease === undefined) return undefined
    try {
      return await this.#upkeep.compact(before, lease)
    } finally {
      await lease.release()
    }
  }

  /** Returns the group of a run: runs of one group share packs. A shipper that waits for full packs needs it. */
  packOf(summary: RunSummary): string {
    return this.#writer.groupOf(summary, this.#writer.classOf(summary))
  }

  #fileOf(id: string): string {
    return `${this.place}#${id}`
  }

  #close(run: OpenRun): void {
    const { id, lines } = run
    if (lines === '') {
      run.settle()
      return void this.#open.delete(id)
    }
    this.#queue.add({
      id,
      size: 2 * lines.length,
      finish: () => run.finish(run.summary ?? summarizeRecording({ file: id, text: lines })),
      settle: (error) => {
        this.#open.delete(id)
        run.settle(error === undefined ? undefined : { error })
        if (error !== undefined) this.#report(id, error)
      },
    })
  }

  /** Waits for the queue to be stored, then returns the run if it is still open. */
  async #settled(id: string): Promise<OpenRun | undefined> {
    await this.#queue.idle()
    return this.#open.get(id)
  }
}
