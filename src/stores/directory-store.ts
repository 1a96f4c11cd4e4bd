import { existsSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { displayPath } from '../node/display-path.ts'
import { LogWriter } from './event-log/log-writer.ts'
import { IndexWriter } from './run-index/index-writer.ts'
import { makeDirectory } from './make-directory.ts'
import type { RunFinder } from './run-index/run-finder.ts'
import { StoreFiles } from './store-files.ts'
import type { StoredTrace, TraceStore } from './trace-store.ts'
import { writesUnderWay } from './writes-under-way.ts'

/** A store in a directory. Implements every optional capability. */
export interface DirectoryStore extends Required<Omit<TraceStore, 'abandon' | 'findAll' | 'replaceEach'>> {
  /** A path, absolute or relative to the working directory. */
  readonly directory: string
}

/**
 * Creates a store in a directory: one append-only log per run, named by its id, and an index in `index/`, kept in Node's own SQLite. The directory
 * is created when the first run is recorded. Any number of processes may write and read it. JSON-lines recordings of earlier
 * releases can be read as well.
 *
 * @param directory A path, absolute or relative to the working directory.
 */
export function createDirectoryStore(directory: string): DirectoryStore {
  // The process may change its working directory before the index is written.
  const files = new StoreFiles(path.resolve(directory))
  const writer = new IndexWriter(files)
  // Production only writes, so the code for reading and checking is loaded on demand.
  const read = async (id: string): Promise<StoredTrace | undefined> => {
    const { readTraceFile } = await import('./read-trace-file.ts')
    for (const file of files.candidates(id)) {
      const stored = await readTraceFile(file)
      if (stored === undefined) continue
      const flags = files.flags(id)
      return flags.length === 0 ? stored : { ...stored, flags }
    }
    return undefined
  }
  const remove = (ids: readonly string[]): string[] => {
    const removed = ids.filter((id) => files.stamp(id) !== undefined)
    for (const id of ids) {
      files.remove(id)
      writer.remove(id)
    }
    return removed
  }
  let finder: Promise<RunFinder> | undefined
  const loadFinder = (): Promise<RunFinder> =>
    (finder ??= import('./run-index/run-finder.ts').then((module) => new module.RunFinder(files, read)))
  return {
    directory,
    open(header) {
      makeDirectory(files.directory)
      return new LogWriter(files.log(header.id), { journal: files.journal(header.id), onDiscarded: () => writer.forget(header.id) })
    },
    async list(query = {}) {
      await writesUnderWay.settled(files.directory)
      if (query.limit === undefined && query.prefix === undefined) return files.list(query)
      writer.flush()
      return (await (await loadFinder()).list(query)) ?? (await files.list(query))
    },
    async read(id) {
      await writesUnderWay.settled(files.directory)
      return read(id)
    },
    async readStep(id, step) {
      await writesUnderWay.settled(files.directory)
      const { readLogHeader, readLogStep, stepOf } = await import('./event-log/read-log-step.ts')
      const file = files.log(id)
      const rows = existsSync(file) ? await readLogStep(file, step) : []
      if (rows.length > 0) return [await readLogHeader(file), ...rows]
      // The step may have started without its row being written yet.
      const stored = existsSync(files.journal(id)) ? await read(id) : undefined
      return stored === undefined ? [] : stepOf(stored, step)
    },
    locate: (id) => pathToFileURL(path.resolve(files.log(id))).href,
    index: (summary) => writer.add(summary),
    async find(query, onReading) {
      if (query.indexedOnly !== true) await writesUnderWay.settled(files.directory)
      writer.flush()
      const found = await (await loadFinder()).find(query, onReading)
      return { ...found, runs: found.runs.map((run) => ({ ...run, file: displayPath(files.recording(run.id)) })) }
    },
    async findRepeatedEffects(query, onReading) {
      await writesUnderWay.settled(files.directory)
      writer.flush()
      return (await loadFinder()).findRepeatedEffects(query, onReading)
    },
    size: async () => (await loadFinder()).bytes(),
    remove: async (id) => remove([id]).length > 0,
    removeMany: async (ids) => remove(ids),
    async readLog(id) {
      await writesUnderWay.settled(files.directory)
      const { readStoredLog } = await import('./stored-log.ts')
      return readStoredLog(files, id, read)
    },
    async adopt(log, summary) {
      await writesUnderWay.settled(files.directory)
      const { adoptLog } = await import('./stored-log.ts')
      // The index adds the users' flags.
      const own = summary.flags.slice(0, summary.flags.length - (log.flags?.length ?? 0))
      if (await adoptLog(files, log)) writer.add({ ...summary, flags: own })
    },
    async replace(log, summary) {
      await writesUnderWay.settled(files.directory)
      if (files.stamp(log.id) === undefined) return false
      const { replaceLog } = await import('./stored-log.ts')
      await replaceLog(files, log)
      writer.add(summary)
      return true
    },
    async lease(name, milliseconds) {
      const { takeFileLease } = await import('./file-lease.ts')
      return takeFileLease(files, name, milliseconds)
    },
    async flag(id, reason) {
      await writesUnderWay.settled(files.directory)
      if (files.stamp(id) === undefined) return false
      files.addFlag(id, reason)
      await (await loadFinder()).refresh(id)
      return true
    },
    async flush() {
      writer.flush()
    },
    reports(onFailure) {
      writer.onFailure = onFailure
    },
  }
}
