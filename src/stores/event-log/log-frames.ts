import { createEncoder, type Encoder } from '../../trace/codec/encoder.ts'
import type { Row } from '../../trace/rows.ts'
import { type Compressor, giveBackCompressor, MOST_COMPRESSORS, takeCompressor } from './compressor.ts'
import { type FrameKind, SIGNATURE, writeFrame } from './log-frame.ts'

/** After so many characters a keyframe follows, however small they are compressed: what belongs to one keyframe is read at once. */
const MOST_CHARACTERS = 32_000_000

/** The compressors of this thread, the most recently used last. */
const compressors = new Map<LogFrames, Compressor>()

/** Makes the bytes of one run's log, piece by piece. */
export class LogFrames {
  readonly #keyframeEvery: number
  /** The compressor handles similarities between stream events. */
  readonly #encoder: Encoder = createEncoder({ byTemplates: false })
  #lines: string[] = []
  /** The number of calls and checkpoints so far, including `#lines`. */
  #calls = 0
  #checkpoints = 0
  #written = { calls: 0, checkpoints: 0 }
  /** The bytes since the last keyframe, and the characters that they hold. */
  #sinceKeyframe = { bytes: 0, characters: 0 }
  #isKeyframe = true
  #isBegun = false

  /** @param keyframeEvery The number of bytes between keyframes, compressed. Default: 262144. */
  constructor(keyframeEvery = 262_144) {
    this.#keyframeEvery = keyframeEvery
  }

  add(row: Row): void {
    for (const line of this.#encoder.encode(row)) this.#lines.push(line)
    if (row.kind === 'call') this.#calls += 1
    if (row.kind === 'checkpoint') this.#checkpoints += 1
  }

  /** Returns the bytes since the last `take`; undefined if nothing was added. */
  take(): Uint8Array | undefined {
    if (this.#lines.length === 0) return undefined
    const text = `${this.#lines.join('\n')}\n`
    this.#lines = []
    const known = this.#isKeyframe ? undefined : compressors.get(this)
    const kind: FrameKind = this.#isKeyframe ? 'keyframe' : known === undefined ? 'starts' : 'goes-on'
    const payload = this.#compressor(known).compress(text)
    const frame = writeFrame({ kind, payload, ...this.#written })
    const withStart = this.#isBegun ? frame : Buffer.concat([SIGNATURE, frame])
    this.#isBegun = true
    this.#written = { calls: this.#calls, checkpoints: this.#checkpoints }
    const { bytes: before, characters } = kind === 'keyframe' ? { bytes: 0, characters: 0 } : this.#sinceKeyframe
    this.#sinceKeyframe = { bytes: before + frame.length, characters: characters + text.length }
    this.#isKeyframe = this.#sinceKeyframe.bytes >= this.#keyframeEvery || this.#sinceKeyframe.characters >= MOST_CHARACTERS
    if (this.#isKeyframe) this.#encoder.forget()
    return withStart
  }

  /** Drops everything that was added since the last `take`. */
  drop(): void {
    this.#lines = []
  }

  /** Gives the compressor back. Call it when nothing more is taken, at least for a while. */
  release(): void {
    const compressor = compressors.get(this)
    if (compressor !== undefined) giveBackCompressor(compressor)
    compressors.delete(this)
  }

  /** Drops the compressor, which may be the cause of a failure. */
  abandon(): void {
    compressors.get(this)?.close()
    compressors.delete(this)
  }

  #compressor(known: Compressor | undefined): Compressor {
    if (known === undefined) this.release()
    const compressor = known ?? takeCompressor()
    compressors.delete(this)
    compressors.set(this, compressor)
    const [oldest] = compressors.keys()
    // A finished stream needs no end marker.
    if (compressors.size > MOST_COMPRESSORS && oldest !== undefined) oldest.release()
    return compressor
  }
}
