import { closeSync, existsSync, fstatSync, ftruncateSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { realTimers } from '../../node/real-timers.ts'
import { runOutside } from '../../run/scope.ts'
import type { Row } from '../../trace/rows.ts'
import type { TraceWriter } from '../trace-store.ts'
import { LogFrames } from './log-frames.ts'

/** The options of a log writer. */
export interface LogWriterOptions {
  /** The number of bytes between keyframes. Default: 262144. With a smaller number, a step is found faster, but the file is larger. */
  readonly keyframeEvery?: number
  /** The journal of the run, removed when its log is complete or discarded. Default: none. */
  readonly journal?: string
  /** Called when the log is discarded. Default: none. */
  readonly onDiscarded?: () => void
}

/** How long a row may be buffered before it is written to the file, in milliseconds. */
const batchDelay = 20

/**
 * Appends the rows of one run to a log, which is created with the first row. Written rows stay readable if the process dies. An
 * existing file is not changed.
 */
export class LogWriter implements TraceWriter {
  readonly #path: string
  readonly #journal: string | undefined
  readonly #onDiscarded: () => void
  readonly #frames: LogFrames
  #file: number | undefined
  #size = 0
  #timer: NodeJS.Timeout | undefined
  #failure: { readonly error: unknown } | undefined
  /** What `close` has written is in the file. */
  readonly stored = true

  constructor(path: string, { keyframeEvery, journal, onDiscarded = () => undefined }: LogWriterOptions = {}) {
    this.#path = path
    this.#journal = journal
    this.#onDiscarded = onDiscarded
    this.#frames = new LogFrames(keyframeEvery)
  }

  get hasFailed(): boolean {
    return this.#failure !== undefined
  }

  write(row: Row): void {
    this.#frames.add(row)
    this.#timer ??= runOutside(() => realTimers.setTimeout(() => this.flush(), batchDelay).unref())
  }

  flush(): void {
    realTimers.clearTimeout(this.#timer)
    this.#timer = undefined
    // The agent continues; a disk failure is reported when the run is over.
    if (this.#failure !== undefined) return this.#frames.drop()
    try {
      const bytes = this.#frames.take()
      if (bytes !== undefined) this.#put(bytes)
    } catch (error) {
      this.#failure = { error }
      this.#frames.abandon()
    }
  }

  close(): void {
    this.flush()
    this.#frames.release()
    if (this.#file !== undefined) this.#closeFile(this.#file)
    if (this.#file !== undefined && this.#size === 0) rmSync(`${this.#path}${BEGUN}`, { force: true })
    this.#file = undefined
    // The journal holds what the log lacks, so it stays.
    if (this.#failure !== undefined) throw this.#failure.error
    this.#removeJournal()
  }

  #removeJournal(): void {
    if (this.#journal !== undefined) rmSync(this.#journal, { force: true })
  }

  /** If the file was removed in the meantime, its rows are lost. */
  #closeFile(file: number): void {
    try {
      if (fstatSync(file).nlink === 0) this.#failure ??= { error: new Error(`${this.#path} was removed while it was being written`) }
      closeSync(file)
    } catch (error) {
      this.#failure ??= { error }
    }
  }

  /** Removes what was written. If the run ends before anything was written, nothing is. */
  discard(): void {
    realTimers.clearTimeout(this.#timer)
    this.#timer = undefined
    this.#frames.drop()
    this.#frames.release()
    if (this.#file !== undefined) {
      closeSync(this.#file)
      rmSync(this.#size === 0 ? `${this.#path}${BEGUN}` : this.#path, { force: true })
    }
    this.#file = undefined
    this.#removeJournal()
    this.#onDiscarded()
  }

  /** Writes all bytes. If the disk is full, takes back the partial frame. */
  #put(bytes: Uint8Array): void {
    const isNew = this.#file === undefined
    this.#file ??= openSync(`${this.#path}${BEGUN}`, 'ax')
    let written = 0
    try {
      while (written < bytes.length) written += writeSync(this.#file, bytes, written)
    } catch (error) {
      takeBack(this.#file, this.#size)
      throw error
    }
    this.#size += written
    if (isNew) putInPlace(`${this.#path}${BEGUN}`, this.#path)
  }
}

/** The additional extension of a log without a complete frame: a kill at that moment leaves nothing that looks like a recording. */
const BEGUN = '.new'

/** @throws if the file already exists. */
function putInPlace(begun: string, place: string): void {
  if (existsSync(place)) throw new Error(`There is already a recording at ${place}.`)
  renameSync(begun, place)
}

/** Removes a partial frame, which would be a torn tail. */
function takeBack(file: number, size: number): void {
  try {
    ftruncateSync(file, size)
  } catch {
    // The partial frame stays as a torn tail.
  }
}
