import type { InTick } from '../../trace/rows.ts'
import type { EntryBody, RawReads } from '../raw/raw-entry.ts'
import {
  BYTES,
  type Delivered,
  DRAWN,
  DRAWS,
  DRAWS_HEAD,
  ENDED,
  fromPlain,
  HEAD,
  type Numbers,
  PIECE,
  type PlainMessage,
  RESENT,
  RESENT_HEAD,
  type RunMessage,
  SAME_TICK,
  SAME_TURN,
  TEXT,
} from './run-message.ts'
import { Page } from './page.ts'

/** Reads the output of `MessageWriter` in another thread. */
export class MessageReader {
  /** The pages that are not completely read, oldest first. */
  readonly #pages: Page[] = []

  /** Adds a page. */
  add(memory: SharedArrayBuffer): void {
    this.#pages.push(new Page(memory))
  }

  /**
   * Yields the messages written since the last call, a page at a time. Asking for the next page marks the previous one as read, and it may be
   * overwritten.
   */
  *read(): Generator<Iterable<Delivered>> {
    for (let [page] = this.#pages; page !== undefined; [page] = this.#pages) {
      // Read before the positions: nothing is written once the page is full.
      const { isFull } = page
      const { read, written } = page
      if (written > read) {
        yield this.#messages(page, read, written)
        page.read = written
      }
      if (!isFull) return
      this.#pages.shift()
      page.leave()
    }
  }

  *#messages({ bytes }: Page, from: number, to: number): Generator<Delivered> {
    for (let start = from; start < to;) {
      const run = bytes.readUInt32LE(start)
      const head = start + HEAD
      const middle = head + bytes.readUInt32LE(start + 4)
      const end = middle + bytes.readUInt32LE(start + 8)
      const kind = bytes.readUInt8(start + 12)
      const message = readMessage(bytes, kind, head, middle)
      yield { run, message, body: readBody(bytes, kind & ~(PIECE | ENDED | DRAWS), middle, end) }
      start = end
    }
  }
}

/** @note The result is not a `Buffer`, whose `slice` does not copy. */
function readBody(bytes: Buffer, kind: number, start: number, end: number): EntryBody {
  switch (kind) {
    case TEXT:
      return bytes.toString('utf8', start, end)
    case RESENT:
      return {
        base: bytes.readUInt8(start),
        place: bytes.readUInt8(start + 1),
        keep: bytes.readUInt32LE(start + 2),
        end: bytes.readUInt32LE(start + 6),
        added: bytes.toString('utf8', start + RESENT_HEAD, end),
      }
    case BYTES:
      return new Uint8Array(bytes.buffer, bytes.byteOffset + start, end - start)
    default:
      return undefined
  }
}

function readMessage(bytes: Buffer, kind: number, start: number, end: number): RunMessage {
  if ((kind & PIECE) !== 0) return { kind: 'piece', ...readNumbers(bytes, start) }
  if ((kind & ENDED) !== 0) return { kind: 'settled', row: { kind: 'return', ...readNumbers(bytes, start) } }
  if ((kind & DRAWS) !== 0) return readDraws(bytes, start)
  return fromPlain(JSON.parse(bytes.toString('utf8', start, end)) as PlainMessage)
}

function readDraws(bytes: Buffer, start: number): RawReads {
  let place = start + DRAWS_HEAD
  const [clock = [], monotonic = [], random = []] = DRAWN.map((_, index) => {
    const drawn = Array.from({ length: bytes.readUInt32LE(start + 4 + 4 * index) }, (_value, at) => bytes.readDoubleLE(place + 8 * at))
    place += 8 * drawn.length
    return drawn
  })
  return { kind: 'reads', owner: bytes.readUInt32LE(start), clock, monotonic, random, uuid: [], bytes: [], facts: [] }
}

function readNumbers(bytes: Buffer, start: number): Numbers {
  const mark = bytes.readUInt8(start + 12)
  const inTick: InTick = mark === SAME_TICK ? { sameTick: true } : mark === SAME_TURN ? { sameTurn: true } : {}
  return { step: bytes.readUInt32LE(start), at: bytes.readDoubleLE(start + 4), ...inTick }
}
