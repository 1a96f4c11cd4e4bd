import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { realTimers } from '../boundaries/timer/real-timers.ts'
import { runOutside } from '../run/scope.ts'
import { createEncoder, type Encoder } from '../trace/codec/encoder.ts'
import type { Row } from '../trace/rows.ts'
import type { StoredTrace, TraceStore, TraceWriter } from './trace-store.ts'

const extension = '.jsonl'

/** How long a written row may wait to be handed to the operating system together with others, in milliseconds. */
const batchDelay = 20

/**
 * A directory with one append-only file for each run, named by its id. The directory is made when the first run is recorded.
 *
 * @param directory A path, absolute or from the working directory.
 */
export function createDirectoryStore(directory: string): TraceStore {
  return {
    open(header) {
      mkdirSync(directory, { recursive: true })
      return new FileWriter(path.join(directory, `${header.id}${extension}`))
    },
    async list() {
      const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return []
        throw error
      })
      // Ids begin with the time they were made at.
      return names
        .filter((name) => name.endsWith(extension))
        .map((name) => name.slice(0, -extension.length))
        .toSorted()
    },
    async read(id) {
      const file = path.join(directory, `${path.basename(id)}${extension}`)
      const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined
        throw error
      })
      return text === undefined ? undefined : ({ file, text } satisfies StoredTrace)
    },
  }
}

class FileWriter implements TraceWriter {
  readonly #file: number
  readonly #encoder: Encoder = createEncoder()
  #lines: string[] = []
  #timer: NodeJS.Timeout | undefined
  #failure: { readonly error: unknown } | undefined

  constructor(file: string) {
    this.#file = openSync(file, 'ax')
  }

  write(row: Row): void {
    this.#lines.push(...this.#encoder.encode(row))
    this.#timer ??= runOutside(() => realTimers.setTimeout(() => this.flush(), batchDelay).unref())
  }

  flush(): void {
    realTimers.clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#lines.length === 0) return
    const text = `${this.#lines.join('\n')}\n`
    this.#lines = []
    // The agent's own work goes on: that the disk failed is told when the run is over.
    if (this.#failure !== undefined) return
    try {
      writeSync(this.#file, text)
    } catch (error) {
      this.#failure = { error }
    }
  }

  close(): void {
    this.flush()
    closeSync(this.#file)
    if (this.#failure !== undefined) throw this.#failure.error
  }
}
