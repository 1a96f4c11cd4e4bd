import { fromBase64, toBase64 } from '../../trace/base64.ts'
import type { InTick } from '../../trace/rows.ts'
import type { RunRow } from '../../trace/run-row.ts'
import type { RawBody, RawEntry, RawPiece, RawReads } from '../raw/raw-entry.ts'
import type { SharedMemory } from './shared-memory.ts'

/** What is told of a run in its turn with its entries. */
export type RunMessage =
  | { readonly kind: 'begin'; readonly recorder: number; readonly header: RunRow; readonly isTold: boolean }
  | RawEntry
  /** Nothing follows. */
  | { readonly kind: 'close' }

/** A message with the run that it is of and what comes with it. */
export interface Delivered {
  readonly run: number
  readonly message: RunMessage
  /** Its memory is used again as soon as the next one is asked for. */
  readonly body: RawBody
}

/** What has been gathered: so many bytes of a piece of memory. */
export interface Batch {
  readonly memory: SharedArrayBuffer
  readonly length: number
}

/**
 * Gathers messages of any number of runs in one piece of memory, which another thread sees too. A message lies there as its run, the lengths of its
 * JSON and of its body, what the body is, and both; numbers are little-endian. A piece of an answer, of which there are the most by far, has its
 * step, its time and its mark as numbers instead.
 */
export class BatchWriter {
  readonly #pool: SharedMemory
  #memory: SharedArrayBuffer | undefined
  #bytes: Buffer = Buffer.alloc(0)
  #numbers: DataView = new DataView(new ArrayBuffer(0))
  #length = 0

  constructor(pool: SharedMemory) {
    this.#pool = pool
  }

  /** How many bytes have been gathered. */
  get length(): number {
    return this.#length
  }

  append(run: number, message: RunMessage, body: RawBody): void {
    const start = this.#length
    const isPiece = message.kind === 'piece'
    const end = isPiece ? this.#writePiece(message, start + HEAD) : this.#writeText(JSON.stringify(toPlain(message)), start + HEAD)
    const bodyEnd = this.#writeBody(body, end)
    const numbers = this.#numbers
    numbers.setUint32(start, run, true)
    numbers.setUint32(start + 4, end - start - HEAD, true)
    numbers.setUint32(start + 8, bodyEnd - end, true)
    numbers.setUint8(start + 12, (body === undefined ? NONE : typeof body === 'string' ? TEXT : BYTES) | (isPiece ? PIECE : 0))
    this.#length = bodyEnd
  }

  /** What has been gathered since the last time; undefined where nothing was. */
  take(): Batch | undefined {
    if (this.#memory === undefined || this.#length === 0) return undefined
    const taken = { memory: this.#memory, length: this.#length }
    this.#memory = undefined
    this.#bytes = Buffer.alloc(0)
    this.#length = 0
    return taken
  }

  #writePiece({ step, at, sameTick, sameTurn }: RawPiece, start: number): number {
    this.#reserve(start + 13, start)
    this.#numbers.setUint32(start, step, true)
    this.#numbers.setFloat64(start + 4, at, true)
    this.#numbers.setUint8(start + 12, sameTick === true ? SAME_TICK : sameTurn === true ? SAME_TURN : 0)
    return start + 13
  }

  #writeBody(body: RawBody, start: number): number {
    if (body === undefined) return start
    if (typeof body === 'string') return this.#writeText(body, start)
    this.#reserve(start + body.length, start)
    this.#bytes.set(body, start)
    return start + body.length
  }

  /** @note To ask how many bytes a long text takes costs ten times what writing it does. */
  #writeText(text: string, start: number): number {
    if (text.length < shortText) {
      this.#reserve(start + text.length * 3, start)
      return start + this.#bytes.write(text, start)
    }
    this.#reserve(start + text.length, start)
    const { read, written } = encoder.encodeInto(text, this.#bytes.subarray(start))
    if (read === text.length) return start + written
    const reached = start + written
    this.#reserve(reached + (text.length - read) * 3, reached)
    return reached + encoder.encodeInto(text.slice(read), this.#bytes.subarray(reached)).written
  }

  /** Makes room up to `end`, where what was written reaches up to `written`. */
  #reserve(end: number, written: number): void {
    if (end <= this.#bytes.length) return
    const larger = this.#pool.take(end)
    const bytes = Buffer.from(larger)
    if (this.#memory !== undefined) {
      this.#bytes.copy(bytes, 0, 0, Math.min(written, this.#bytes.length))
      this.#pool.giveBack(this.#memory)
    }
    this.#memory = larger
    this.#bytes = bytes
    this.#numbers = new DataView(larger)
  }
}

/** The messages of a batch, in order. Their bodies lie in its memory. */
export function* readBatch({ memory, length }: Batch): Generator<Delivered> {
  const bytes = Buffer.from(memory, 0, length)
  for (let start = 0; start < length;) {
    const head = start + HEAD
    const body = head + bytes.readUInt32LE(start + 4)
    const end = body + bytes.readUInt32LE(start + 8)
    const kind = bytes.readUInt8(start + 12)
    const message =
      (kind & PIECE) === 0 ? fromPlain(JSON.parse(bytes.toString('utf8', head, body)) as PlainMessage) : readPiece(bytes, head)
    yield { run: bytes.readUInt32LE(start), message, body: readBody(bytes, kind & ~PIECE, body, end) }
    start = end
  }
}

function readPiece(bytes: Buffer, start: number): RawPiece {
  const mark = bytes.readUInt8(start + 12)
  const inTick: InTick = mark === SAME_TICK ? { sameTick: true } : mark === SAME_TURN ? { sameTurn: true } : {}
  return { kind: 'piece', step: bytes.readUInt32LE(start), at: bytes.readDoubleLE(start + 4), ...inTick }
}

/** @note Bytes are no `Buffer`, whose `slice` does not copy. */
function readBody(bytes: Buffer, kind: number, start: number, end: number): RawBody {
  if (kind === NONE) return undefined
  return kind === TEXT ? bytes.toString('utf8', start, end) : new Uint8Array(bytes.buffer, start, end - start)
}

const HEAD = 13
const NONE = 0
const TEXT = 1
const BYTES = 2
/** Added to what the body is. */
const PIECE = 4
const SAME_TICK = 1
const SAME_TURN = 2
/** A text up to this length is given the room that it could take at most. */
const shortText = 4_096
const encoder = new TextEncoder()

type PlainMessage = Exclude<RunMessage, RawReads> | (Omit<RawReads, 'bytes'> & { readonly bytes: readonly string[] })

/** Draws hold bytes; nothing else does. */
function toPlain(message: RunMessage): PlainMessage {
  if (message.kind !== 'reads') return message
  return { ...message, bytes: message.bytes.map(toBase64) }
}

function fromPlain(message: PlainMessage): RunMessage {
  return message.kind === 'reads' ? { ...message, bytes: message.bytes.map(fromBase64) } : message
}
