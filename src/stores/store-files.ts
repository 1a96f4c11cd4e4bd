import { appendFileSync, readFileSync, rmSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { orMissing } from '../node/or-missing.ts'
import { writingNow } from '../node/write-failure.ts'
import { selectIds } from './list-ids.ts'
import type { ListQuery } from './trace-store.ts'

/** The extension of a recording's file. */
export const LOG_EXTENSION = '.runlog'

/** The extension before logs were introduced. */
const LINES_EXTENSION = '.jsonl'

const FLAGS_EXTENSION = '.flags'

const JOURNAL_EXTENSION = '.journal'

/** Returns the journal that belongs to a log. */
export function journalOf(log: string): string {
  return `${log.slice(0, -LOG_EXTENSION.length)}${JOURNAL_EXTENSION}`
}

/** Shows whether a recording has changed since it was read. */
export interface Stamp {
  /** In bytes. */
  readonly size: number
  /** In milliseconds since the epoch. */
  readonly changed: number
}

/**
 * The files of a directory of recordings. Each run has its recording and, if a user flagged it, the reasons next to it. While it is
 * recorded, or if its process died, it also has the journal of its side effects.
 */
export class StoreFiles {
  readonly directory: string
  /** The index of the recordings. */
  readonly indexFile: string

  constructor(directory: string) {
    this.directory = directory
    this.indexFile = path.join(directory, 'index', 'runs.sqlite')
  }

  /** Returns the log of a run. */
  log(id: string): string {
    return this.#file(id, LOG_EXTENSION)
  }

  /** Returns the journal of the side effects that a run started. It exists until the log is complete. */
  journal(id: string): string {
    return journalOf(this.log(id))
  }

  /** Returns the files that may be the recording of a run: its log, or the JSON lines of an earlier release. */
  candidates(id: string): string[] {
    return [this.log(id), this.#file(id, LINES_EXTENSION)]
  }

  /** Returns the existing recording of a run, or else the path of its future log. */
  recording(id: string): string {
    return this.candidates(id).find((file) => statSync(file, { throwIfNoEntry: false }) !== undefined) ?? this.log(id)
  }

  /** Lists the ids of the recordings that match a query, in order of time: ids begin with their creation time. */
  async list(query: ListQuery = {}): Promise<string[]> {
    const names = await orMissing(readdir(this.directory), [])
    const ids = names.flatMap((name) => (name.startsWith(query.prefix ?? '') ? (this.#recordingIn(name) ?? []) : []))
    return selectIds(ids, query)
  }

  /** Returns the id of the recording in a file. A process may have died after creating its journal and before writing to it. */
  #recordingIn(name: string): string | undefined {
    const extension = path.extname(name)
    const id = name.slice(0, name.length - extension.length)
    if (extension === JOURNAL_EXTENSION) return this.hasJournal(id) ? id : undefined
    return extension === LOG_EXTENSION || extension === LINES_EXTENSION ? id : undefined
  }

  /** Returns whether a run has a journal, because it is being recorded or its process died. Its log may be incomplete. */
  hasJournal(id: string): boolean {
    return (statSync(this.journal(id), { throwIfNoEntry: false })?.size ?? 0) > 0
  }

  /** Returns the stamp of a recording; undefined if there is none with that id. */
  stamp(id: string): Stamp | undefined {
    const stats = [this.recording(id), this.journal(id)].flatMap((file) => statSync(file, { throwIfNoEntry: false }) ?? [])
    if (stats.length === 0) return undefined
    const size = stats.reduce((sum, stat) => sum + stat.size, 0)
    return { size, changed: Math.round(Math.max(...stats.map(({ mtimeMs }) => mtimeMs))) }
  }

  /** Returns when a recording was last added or removed, in milliseconds since the epoch; 0 if there is no directory. */
  changed(): number {
    return Math.round(statSync(this.directory, { throwIfNoEntry: false })?.mtimeMs ?? 0)
  }

  /** Returns why users flagged a run, in order. */
  flags(id: string): string[] {
    const file = this.#file(id, FLAGS_EXTENSION)
    if (statSync(file, { throwIfNoEntry: false }) === undefined) return []
    const lines = readFileSync(file, 'utf8').split('\n')
    return lines.filter((line) => line !== '').map((line) => (JSON.parse(line) as { reason: string }).reason)
  }

  /** @note Stored next to the recording, because another process may be writing the recording itself. */
  addFlag(id: string, reason: string): void {
    const file = this.#file(id, FLAGS_EXTENSION)
    writingNow(file, () => appendFileSync(file, `${JSON.stringify({ reason, at: new Date().toISOString() })}\n`))
  }

  /** Returns the file of a lease on work in this directory, by its number: the highest one counts. */
  lease(name: string, number: number): string {
    return path.join(this.leases(name), String(number))
  }

  /** Returns the folder of the leases on some work. */
  leases(name: string): string {
    return path.join(this.directory, 'leases', path.basename(name))
  }

  /** Returns the file in which a run's new recording is written before it replaces the old one. A killed process leaves it. */
  unfinished(id: string): string {
    return path.join(this.directory, 'unfinished', path.basename(id))
  }

  /**
   * Removes all files of a run.
   *
   * @note The recording comes last: if the process is killed in between, the run is still found, by its tags as well, which a journal lacks. No file
   *   is left that belongs to nothing.
   */
  remove(id: string): void {
    const beside = [this.unfinished(id), this.#file(id, FLAGS_EXTENSION), this.journal(id)]
    for (const file of [...beside, ...this.candidates(id)]) rmSync(file, { force: true })
  }

  #file(id: string, extension: string): string {
    return path.join(this.directory, `${path.basename(id)}${extension}`)
  }
}
