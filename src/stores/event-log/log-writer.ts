import { closeSync, existsSync, fstatSync, ftruncateSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { realTimers } from '../../node/real-timers.ts'
import { runOutside } from '../../run/scope.ts'
import { createEncoder, type Encoder } from '../../trace/codec/encoder.ts'
import type { Row } from '../../trace/rows.ts'
import { hasMinizlib } from '../minizlib.ts'
import type { TraceWriter } from '../trace-store.ts'
import { compressAlone, type Compressor, giveBackCompressor, MOST_COMPRESSORS, takeCompressor } from './compressor.ts'
import { type FrameKind, SIGNATURE, writeFrame } from './frame.ts'

/** How a log is written. */
export interface LogWriterOptions {
  /** After how many bytes of frames nothing refers to what stands before. Default: 262144. Fewer: a step is reached faster, the file is larger. */
  readonly keyframeEvery?: number
  /** The journal of the run, which is removed when its log is written to its end, or discarded. Default: there is none. */
  readonly journal?: string
  /** Told when the log was discarded. Default: nobody. */
  readonly onDiscarded?: () => void
}

/** How long a written row may wait to be handed to the operating system together with others, in milliseconds. */
const batchDelay = 20

/** The compressors of this thread, those that were used last at the end. */
const compressors = new Map<LogWriter, Compressor>()

/**
 * Appends the rows of one run to a log, which is made with the first of them. What it wrote stays readable whenever the process dies; a file that
 * is there already is not touched.
 */
export class LogWriter implements TraceWriter {
  readonly #path: string
  readonly #keyframeEvery: number
  readonly #journal: string | undefined
  readonly #onDiscarded: () => void
  /** What the events of a stream share is left to the compressor. */
  readonly #encoder: Encoder = createEncoder({ byTemplates: false })
  #file: number | undefined
  #lines: string[] = []
  /** The rows of `#lines`, and of all before: calls and checkpoints. */
  #calls = 0
  #checkpoints = 0
  #written = { calls: 0, checkpoints: 0 }
  #size = 0
  #sinceKeyframe = 0
  #isKeyframe = true
  #timer: NodeJS.Timeout | undefined
  #failure: { readonly error: unknown } | undefined

  constructor(path: string, { keyframeEvery = 262_144, journal, onDiscarded = () => undefined }: LogWriterOptions = {}) {
    this.#path = path
    this.#journal = journal
    this.#onDiscarded = onDiscarded
    this.#keyframeEvery = keyframeEvery
  }

  write(row: Row): void {
    for (const line of this.#encoder.encode(row)) this.#lines.push(line)
    if (row.kind === 'call') this.#calls += 1
    if (row.kind === 'checkpoint') this.#checkpoints += 1
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
      this.#append(text)
    } catch (error) {
      this.#failure = { error }
      // It may be what failed.
      compressors.get(this)?.close()
      compressors.delete(this)
    }
  }

  close(): void {
    this.flush()
    this.#release()
    if (this.#file !== undefined) this.#closeFile(this.#file)
    if (this.#file !== undefined && this.#size === 0) rmSync(`${this.#path}${BEGUN}`, { force: true })
    this.#file = undefined
    // It says what the log does not.
    if (this.#failure !== undefined) throw this.#failure.error
    this.#removeJournal()
  }

  #removeJournal(): void {
    if (this.#journal !== undefined) rmSync(this.#journal, { force: true })
  }

  /** What was written into a file that somebody has removed since is nowhere. */
  #closeFile(file: number): void {
    try {
      if (fstatSync(file).nlink === 0) this.#failure ??= { error: new Error(`${this.#path} was removed while it was written`) }
      closeSync(file)
    } catch (error) {
      this.#failure ??= { error }
    }
  }

  /** Removes what was written. Of a run that was over before anything was, nothing ever was. */
  discard(): void {
    realTimers.clearTimeout(this.#timer)
    this.#timer = undefined
    this.#lines = []
    this.#release()
    if (this.#file !== undefined) {
      closeSync(this.#file)
      rmSync(this.#size === 0 ? `${this.#path}${BEGUN}` : this.#path, { force: true })
    }
    this.#file = undefined
    this.#removeJournal()
    this.#onDiscarded()
  }

  #append(text: string): void {
    const known = this.#isKeyframe ? undefined : compressors.get(this)
    const kind: FrameKind = this.#isKeyframe ? 'keyframe' : known === undefined ? 'starts' : 'goes-on'
    const payload = this.#compressor(known)?.compress(text) ?? compressAlone(text)
    const frame = writeFrame({ kind, payload, ...this.#written })
    this.#put(this.#file === undefined ? Buffer.concat([SIGNATURE, frame]) : frame)
    this.#written = { calls: this.#calls, checkpoints: this.#checkpoints }
    this.#sinceKeyframe = kind === 'keyframe' ? frame.length : this.#sinceKeyframe + frame.length
    this.#isKeyframe = this.#sinceKeyframe >= this.#keyframeEvery
    if (this.#isKeyframe) this.#encoder.forget()
  }

  /** None where each frame is a stream of its own. */
  #compressor(known: Compressor | undefined): Compressor | undefined {
    if (known === undefined) this.#release()
    if (!hasMinizlib()) return undefined
    const compressor = known ?? takeCompressor()
    compressors.delete(this)
    compressors.set(this, compressor)
    const [oldest] = compressors.keys()
    // A stream that nothing more is added to needs no end.
    if (compressors.size > MOST_COMPRESSORS && oldest !== undefined) oldest.#release()
    return compressor
  }

  #release(): void {
    const compressor = compressors.get(this)
    if (compressor !== undefined) giveBackCompressor(compressor)
    compressors.delete(this)
  }

  /** Writes all of it, or, where the disk is full, as little as can be. */
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

/** What a log is called besides while it has no whole frame: a kill just then leaves nothing that could be taken for a recording. */
const BEGUN = '.new'

/** @throws where a file is there already. */
function putInPlace(begun: string, place: string): void {
  if (existsSync(place)) throw new Error(`There is a recording at ${place} already.`)
  renameSync(begun, place)
}

/** A part of a frame would be a torn tail. */
function takeBack(file: number, size: number): void {
  try {
    ftruncateSync(file, size)
  } catch {
    // Then it is one.
  }
}
