import { decodeReads, encodeReads } from '../../trace/codec/reads-codec.ts'
import type { EncodedReads } from '../../trace/codec/encoded-rows.ts'
import type { RunRow } from '../../trace/run-row.ts'
import type { RawBody, RawEntry } from '../raw/raw-entry.ts'

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
  readonly body: RawBody
}

/**
 * Gathers messages of any number of runs in one piece of memory, to be handed to another thread without being copied again. A message lies there as
 * its run, the lengths of its JSON and of its body, whether the body is text, and both; numbers are of four bytes, little-endian.
 */
export class BatchWriter {
  #bytes = Buffer.alloc(0)
  #length = 0

  /** How many bytes have been gathered. */
  get length(): number {
    return this.#length
  }

  append(run: number, message: RunMessage, body: RawBody): void {
    const json = JSON.stringify(toPlain(message))
    this.#reserve(HEAD + sizeOf(json) + (typeof body === 'string' ? sizeOf(body) : (body?.length ?? 0)))
    const bytes = this.#bytes
    const start = this.#length
    const jsonLength = bytes.write(json, start + HEAD)
    const bodyStart = start + HEAD + jsonLength
    const bodyLength = typeof body === 'string' ? bytes.write(body, bodyStart) : (body?.length ?? 0)
    if (body instanceof Uint8Array) bytes.set(body, bodyStart)
    bytes.writeUInt32LE(run, start)
    bytes.writeUInt32LE(jsonLength, start + 4)
    bytes.writeUInt32LE(bodyLength, start + 8)
    bytes.writeUInt8(body === undefined ? NONE : typeof body === 'string' ? TEXT : BYTES, start + 12)
    this.#length = bodyStart + bodyLength
  }

  /** What has been gathered since the last time. */
  take(): { readonly memory: ArrayBuffer; readonly length: number } {
    const taken = { memory: this.#bytes.buffer, length: this.#length }
    this.#bytes = Buffer.alloc(0)
    this.#length = 0
    return taken
  }

  #reserve(length: number): void {
    const needed = this.#length + length
    if (needed <= this.#bytes.length) return
    // Memory of its own: it is handed over as a whole.
    const larger = Buffer.allocUnsafeSlow(Math.max(smallest, needed, this.#bytes.length * 2))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }
}

/** The messages of a batch, in order. Their bodies lie in its memory. */
export function* readBatch(memory: ArrayBuffer, length: number): Generator<Delivered> {
  const bytes = Buffer.from(memory, 0, length)
  for (let start = 0; start < length;) {
    const json = start + HEAD
    const body = json + bytes.readUInt32LE(start + 4)
    const end = body + bytes.readUInt32LE(start + 8)
    const message = fromPlain(JSON.parse(bytes.toString('utf8', json, body)) as PlainMessage)
    const kind = bytes.readUInt8(start + 12)
    yield {
      run: bytes.readUInt32LE(start),
      message,
      body: kind === NONE ? undefined : kind === TEXT ? bytes.toString('utf8', body, end) : bytes.subarray(body, end),
    }
    start = end
  }
}

const HEAD = 13
const NONE = 0
const TEXT = 1
const BYTES = 2
const smallest = 16_384

/** As many bytes as a text may take. */
function sizeOf(text: string): number {
  return text.length < 4_096 ? text.length * 3 : Buffer.byteLength(text)
}

type PlainMessage = Exclude<RunMessage, { kind: 'row' }> | { readonly kind: 'row'; readonly row: object & { readonly kind: string } }

/** Draws hold bytes; nothing else does. */
function toPlain(message: RunMessage): PlainMessage {
  return message.kind === 'row' && message.row.kind === 'reads' ? { kind: 'row', row: encodeReads(message.row) } : message
}

function fromPlain(message: PlainMessage): RunMessage {
  if (message.kind !== 'row') return message
  return message.row.kind === 'reads' ? { kind: 'row', row: decodeReads(message.row as EncodedReads) } : (message as RunMessage)
}
