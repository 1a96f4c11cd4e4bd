import { statSync } from 'node:fs'
import { realTimers } from '../../node/real-timers.ts'
import { runOutside } from '../../run/scope.ts'
import { loadSqlite } from '../../node/load-sqlite.ts'
import type { RunSummary } from '../run-summary.ts'
import type { OnStoreFailure } from '../trace-store.ts'
import type { StoreFiles } from '../store-files.ts'
import { toIndexed } from './index-row.ts'
import { isBusy } from './is-busy.ts'
import { RunIndex } from './run-index.ts'

/** How long a run's summary may wait to be written in a batch, in milliseconds. */
const BATCH_DELAY = 200

/** How long this process may block for another writer, in milliseconds: too short to notice. Failed writes are retried. */
const WAIT = 5

/** How long a flush may block, in milliseconds: nothing is retried then, and nothing else waits. */
const LAST_WAIT = 2000

/** The most runs that wait. Beyond this, the oldest are left to the next look-up, which finds their recordings. */
const MOST_WAITING = 10_000

/**
 * Writes summaries of runs to an index in the background, in batches. Never throws: if an index cannot be written, it reports the runs, and the
 * next look-up rebuilds it from the recordings.
 */
export class IndexWriter {
  readonly #files: StoreFiles
  /** By id; undefined for a run that is not kept. */
  #waiting = new Map<string, RunSummary | undefined>()
  /** Runs that the index has as in flight. */
  readonly #inFlight = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #open: { readonly index: RunIndex; readonly inode: number } | undefined
  #failure: { readonly error: unknown } | undefined
  /** Called for each run missing in the index. Default: ignores it. */
  onFailure: OnStoreFailure = () => undefined

  constructor(files: StoreFiles) {
    this.#files = files
  }

  add(summary: RunSummary): void {
    this.#wait(summary.id, summary)
  }

  /** Removes a run, also one that another process recorded. */
  remove(id: string): void {
    this.#wait(id, undefined)
  }

  /** Removes a run of this process that is not kept. */
  forget(id: string): void {
    this.#waiting.delete(id)
    if (this.#inFlight.has(id)) this.#wait(id, undefined)
  }

  #wait(id: string, summary: RunSummary | undefined): void {
    if (this.#failure !== undefined) return this.#report(id, summary)
    this.#waiting.set(id, summary)
    if (this.#waiting.size > MOST_WAITING) this.#leaveOut()
    this.#schedule()
  }

  /** Drops the run that has waited longest. */
  #leaveOut(): void {
    const [oldest] = this.#waiting
    if (oldest === undefined) return
    this.#waiting.delete(oldest[0])
    this.#report(...oldest, new Error(`more than ${MOST_WAITING} runs wait for it`))
  }

  /** @note Without SQLite there is no index, so no run can be missing in it. */
  #report(id: string, summary: RunSummary | undefined, error = this.#failure?.error): void {
    if (summary !== undefined && summary.status !== 'in-flight' && loadSqlite() !== undefined) this.onFailure(id, error, 'index')
  }

  #schedule(): void {
    this.#timer ??= runOutside(() => realTimers.setTimeout(() => this.#write(WAIT), BATCH_DELAY).unref())
  }

  /** Writes pending summaries and closes the file. */
  flush(): void {
    if (this.#waiting.size > 0) this.#write(LAST_WAIT)
    realTimers.clearTimeout(this.#timer)
    this.#timer = undefined
    this.#close()
  }

  #write(wait: number): void {
    this.#timer = undefined
    const runs = [...this.#waiting]
    if (runs.length === 0) return
    try {
      const index = this.#index(wait)
      index.transaction(() => {
        for (const [id, summary] of runs) this.#put(index, id, summary)
      })
      if (runs.some(([, summary]) => summary === undefined)) index.truncateLog()
    } catch (error) {
      this.#close()
      return isBusy(error) ? this.#schedule() : this.#giveUp(error)
    }
    for (const [id, summary] of runs) {
      if (summary?.status === 'in-flight') this.#inFlight.add(id)
      else this.#inFlight.delete(id)
      // A newer summary may have arrived in the meantime.
      if (this.#waiting.get(id) === summary) this.#waiting.delete(id)
    }
  }

  #put(index: RunIndex, id: string, summary: RunSummary | undefined): void {
    const stamp = summary === undefined ? undefined : this.#files.stamp(id)
    // A run may be removed before it is written.
    if (summary === undefined || stamp === undefined) index.remove(id)
    else {
      const run = toIndexed(summary, stamp, this.#files.flags(id))
      // The recording of a run in flight keeps growing, so a look-up has to read it.
      index.put(summary.status === 'in-flight' ? { ...run, size: 0, changed: 0 } : run)
    }
  }

  /** @note Another process may have rebuilt the index in a new file of the same name. */
  #index(wait: number): RunIndex {
    const inode = statSync(this.#files.indexFile, { throwIfNoEntry: false })?.ino
    if (this.#open !== undefined && this.#open.inode !== inode) this.#close()
    if (this.#open === undefined) {
      const index = new RunIndex(this.#files.indexFile, wait)
      this.#open = { index, inode: statSync(this.#files.indexFile).ino }
    }
    this.#open.index.wait(wait)
    return this.#open.index
  }

  #giveUp(error: unknown): void {
    this.#failure = { error }
    for (const [id, summary] of this.#waiting) this.#report(id, summary)
    this.#waiting.clear()
  }

  #close(): void {
    const open = this.#open
    this.#open = undefined
    try {
      open?.index.close()
    } catch {
      // It is unusable in any case.
    }
  }
}
