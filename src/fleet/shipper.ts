import { knownOrMade } from '../trace/remember.ts'
import { everyRun, type FindingStore } from '../stores/every-run.ts'
import type { RunSummary } from '../stores/run-summary.ts'
import type { StoredLog, TraceStore } from '../stores/trace-store.ts'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import { type FinishedRun, PACK_SIZE } from './fleet-writer.ts'
import { inParallel } from './in-parallel.ts'
import { hourOf } from './object-keys.ts'
import type { ObjectStore } from './object-store.ts'
import { isDamage } from './packs/pack.ts'
import { linesOf } from './packs/run-entry.ts'

/** A store that runs are shipped from. */
export type Spool = FindingStore & Required<Pick<TraceStore, 'readLog'>> & Pick<TraceStore, 'lease' | 'remove' | 'removeMany'>

/** What to ship. */
export interface ShipOptions {
  /** Ships only runs that started at least this many milliseconds ago. Default: 0. */
  readonly after?: number
  /** Leaves runs of the current hour for later until they fill a pack. Default: false. */
  readonly waitsForPacks?: boolean
  /** Called with the number of runs in the bucket so far. Default: nothing. */
  readonly onShipped?: (runs: number) => void
}

/** The result of one pass. */
export interface Shipped {
  /** Runs that were stored in the bucket and removed from the spool. */
  readonly runs: number
  /** Recordings that are too new: they ended a moment ago or have not ended. */
  readonly waiting: number
  /** Recordings that cannot be read. They stay in the spool. */
  readonly unreadable: readonly string[]
  /** Another process is shipping from this spool. */
  readonly isBusy?: true
}

/** About how many characters of recordings are in memory at a time. */
const BATCH = 64_000_000
const PAGE = 2000
/** How many runs are added to the index at once: each addition costs a request. */
const TOGETHER = 10 * PACK_SIZE
const LEASE = 60_000
/** How long after a run's end its open work may still write, in milliseconds. */
const SETTLED = 60_000
/** A run in flight for longer than this belongs to a dead process, in milliseconds. */
const DEAD = 86_400_000
/** How long after its end an hour may still get new runs, in milliseconds. */
const LATE = 600_000

/** Moves finished runs from a spool to a bucket. A kill at any moment loses no run and leaves no duplicate in the bucket. */
export class Shipper {
  readonly #spool: Spool
  readonly #bucket: ObjectStore
  /** Hours whose runs in the bucket are known: an earlier shipper may have died between storing and removing. */
  readonly #checked = new Set<string>()

  constructor(spool: Spool, bucket: ObjectStore) {
    this.#spool = spool
    this.#bucket = bucket
  }

  /** Ships everything that is ready. */
  async ship(options: ShipOptions = {}): Promise<Shipped> {
    const lease = await this.#spool.lease?.('ship', LEASE)
    if (this.#spool.lease !== undefined && lease === undefined) return { runs: 0, waiting: 0, unreadable: [], isBusy: true }
    let runs = 0
    let waiting = 0
    const unreadable: string[] = []
    try {
      const left = (ids: readonly string[]): void =>
        void unreadable.push(...ids.map((id) => `${id} cannot be read. To see why: goldenrun list`))
      for await (const batch of this.#batches(options, () => (waiting += 1), left)) {
        if ((await lease?.renew()) === false) return { runs, waiting, unreadable, isBusy: true }
        runs += await this.#shipBatch(batch, unreadable)
        options.onShipped?.(runs)
      }
      await this.#bucket.setAsideDamaged()
      return { runs, waiting, unreadable }
    } catch (error) {
      // Look again for the runs that were stored before the failure.
      this.#checked.clear()
      throw error
    } finally {
      await lease?.release()
    }
  }

  /** Yields the runs that are ready, several packs at a time. Runs of one pack stay together. */
  async *#batches(
    { after = 0, waitsForPacks = false }: ShipOptions,
    onWaiting: () => void,
    onUnreadable: (ids: readonly string[]) => void,
  ): AsyncGenerator<readonly RunSummary[]> {
    const now = Date.now()
    const waiting = new Map<string, RunSummary[]>()
    const full: RunSummary[] = []
    for await (const run of everyRun(this.#spool, { until: new Date(now - after).toISOString() }, { page: PAGE, onUnreadable })) {
      if (!isReady(run, now)) {
        onWaiting()
        continue
      }
      const pack = this.#bucket.packOf(run)
      const group = knownOrMade(waiting, pack, () => [])
      group.push(run)
      if (group.length < PACK_SIZE) continue
      waiting.delete(pack)
      full.push(...group)
      if (full.length >= TOGETHER) yield full.splice(0)
    }
    const rest = [...waiting.values()].flat()
    const ready = waitsForPacks ? rest.filter(({ startedAt }) => Date.parse(startedAt) < startOfHour(now - LATE)) : rest
    full.push(...ready)
    while (full.length > 0) yield full.splice(0, TOGETHER)
  }

  async #shipBatch(runs: readonly RunSummary[], unreadable: string[]): Promise<number> {
    const held = await this.#heldOf(runs)
    let shipped = 0
    let batch: Spooled[] = []
    const send = async (): Promise<void> => {
      await this.#bucket.adoptMany(batch.map(({ finished }) => finished))
      shipped += await this.#removeUnchanged(batch)
      batch = []
    }
    let size = 0
    for (let start = 0; start < runs.length; start += PACK_SIZE) {
      for (const spooled of await inParallel(runs.slice(start, start + PACK_SIZE), 8, (run) => this.#read(run, unreadable))) {
        if (spooled === undefined) continue
        if (held.has(spooled.finished.summary.id) && (await this.#isStored(spooled))) {
          shipped += await this.#removeUnchanged([spooled])
          continue
        }
        batch.push(spooled)
        size += spooled.finished.lines.length
      }
      if (size < BATCH) continue
      size = 0
      await send()
    }
    if (batch.length > 0) await send()
    return shipped
  }

  async #heldOf(runs: readonly RunSummary[]): Promise<ReadonlySet<string>> {
    const unchecked = runs.filter(({ id }) => !this.#checked.has(hourOf(id)))
    if (unchecked.length === 0) return this.#held
    for (const id of await this.#bucket.idsOfHours(new Set(unchecked.map((run) => hourOf(run.id))))) this.#held.add(id)
    for (const { id } of unchecked) this.#checked.add(hourOf(id))
    return this.#held
  }

  /** Runs that the bucket already held when it was queried. */
  readonly #held = new Set<string>()

  /** Returns whether the bucket holds the same recording. Removes a different one, shipped while the run was still writing. */
  async #isStored({ finished: { summary, lines } }: Spooled): Promise<boolean> {
    const stored = await this.#textIn(summary.id)
    if (stored === lines) return true
    if (stored !== undefined) await this.#bucket.removeMany([summary.id])
    return false
  }

  /** Returns the lines of a run in the bucket; undefined if there is none, `damaged` if it cannot be read. */
  async #textIn(id: string): Promise<string | undefined> {
    try {
      return (await this.#bucket.read(id))?.text
    } catch (error) {
      if (!isDamage(error)) throw error
      return 'damaged'
    }
  }

  async #read(summary: RunSummary, unreadable: string[]): Promise<Spooled | undefined> {
    try {
      const log = await this.#spool.readLog(summary.id)
      if (log === undefined) return undefined
      const bytes = await log.bytes()
      const { file: _file, bytes: _bytes, ...own } = summary
      return { log, finished: { summary: own, log: bytes, lines: linesOf(bytes, log.file), ...(log.flags && { flags: log.flags }) } }
    } catch (error) {
      if (!GoldenrunError.isInstance(error)) throw error
      unreadable.push(error.message)
      return undefined
    }
  }

  /** Removes the runs from the spool that have not grown since they were read. */
  async #removeUnchanged(runs: readonly Spooled[]): Promise<number> {
    const unchanged = await inParallel(runs, 8, async ({ log }) => ((await this.#spool.readLog(log.id))?.size === log.size ? [log.id] : []))
    const ids = unchanged.flat()
    const removed = new Set(ids)
    // A recording that has grown waits for the next pass.
    for (const { log } of runs) if (!removed.has(log.id)) this.#held.add(log.id)
    if (this.#spool.removeMany !== undefined) await this.#spool.removeMany(ids)
    else for (const id of ids) await this.#spool.remove?.(id)
    return ids.length
  }
}

interface Spooled {
  readonly log: StoredLog
  readonly finished: FinishedRun
}

function isReady({ status, startedAt, durationMs = 0 }: RunSummary, now: number): boolean {
  const started = Date.parse(startedAt)
  return status === 'in-flight' ? started < now - DEAD : started + durationMs <= now - SETTLED
}

function startOfHour(time: number): number {
  return Math.floor(time / 3_600_000) * 3_600_000
}
