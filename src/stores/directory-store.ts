import { mkdirSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import type { Row } from '../trace/rows.ts'
import { LogWriter } from './event-log/log-writer.ts'
import { readTraceFile } from './read-trace-file.ts'
import type { TraceStore } from './trace-store.ts'
import { writesUnderWay } from './writes-under-way.ts'

/** What the file of a recording ends in. */
export const LOG_EXTENSION = '.runlog'

/** What it ended in before there were logs. */
const LINES_EXTENSION = '.jsonl'

/** A store that is a directory. */
export interface DirectoryStore extends TraceStore {
  /** A path, absolute or from the working directory. */
  readonly directory: string
  /** The rows of one step of a recording, from its call to its settling; found without reading the others. None where there is no such step. */
  readStep(id: string, step: number): Promise<Row[]>
}

/**
 * A directory with one append-only log for each run, named by its id. The directory is made when the first run is recorded. Recordings that are
 * files of JSON lines, as earlier releases wrote them, are read as well.
 *
 * @param directory A path, absolute or from the working directory.
 */
export function createDirectoryStore(directory: string): DirectoryStore {
  const fileOf = (id: string, extension: string): string => path.join(directory, `${path.basename(id)}${extension}`)
  return {
    directory,
    open(header) {
      mkdirSync(directory, { recursive: true })
      return new LogWriter(fileOf(header.id, LOG_EXTENSION))
    },
    async list() {
      await writesUnderWay.settled(directory)
      const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return []
        throw error
      })
      // Ids begin with the time they were made at.
      const ids = names.filter((name) => isRecording(name)).map((name) => name.replace(/\.\w+$/, ''))
      return [...new Set(ids)].toSorted()
    },
    async read(id) {
      await writesUnderWay.settled(directory)
      return (await readTraceFile(fileOf(id, LOG_EXTENSION))) ?? (await readTraceFile(fileOf(id, LINES_EXTENSION)))
    },
    async readStep(id, step) {
      await writesUnderWay.settled(directory)
      // What reads rows checks them, and production only writes.
      const { readLogStep } = await import('./event-log/read-log-step.ts')
      return await readLogStep(fileOf(id, LOG_EXTENSION), step)
    },
  }
}

function isRecording(name: string): boolean {
  return name.endsWith(LOG_EXTENSION) || name.endsWith(LINES_EXTENSION)
}
