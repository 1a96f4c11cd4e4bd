import { isUint8Array } from 'node:util/types'
import { realTimers } from '../../node/real-timers.ts'
import type { EntryBody, RawReads, RawSettled } from '../raw/raw-entry.ts'
import type { ResentText } from '../resent-texts.ts'
import {
  BYTES,
  DRAWS,
  DRAWS_HEAD,
  ENDED,
  HEAD,
  NONE,
  type Numbers,
  NUMBERS,
  PIECE,
  RESENT,
  RESENT_HEAD,
  SAME_TICK,
  SAME_TURN,
  TEXT,
  toPlain,
  type RunMessage,
} from './run-message.ts'
import { type Page, PagePool } from './page.ts'

/** Writes messages of any number of runs to pages, one after the other; another thread reads them at its own pace. */
export class MessageWriter {
  readonly #pool = new PagePool()
  readonly #onPage: (memory: SharedArrayBuffer) => void
  /** The full pages that are not known to be read, oldest first. */
  #full: Page[] = []
  #page: Page | undefined
  /** An upper bound: the bytes that were waiting at the last check, plus everything written since. */
  #mostWaiting = 0
  /** Where the message being written begins, and how far it has been written. */
  #start = 0
  #end = 0

  /** @param onPage Called with each page before anything is written to it. */
  constructor(onPage: (memory: SharedArrayBuffer) => void) {
    this.#onPage = onPage
  }

  /** The number of bytes that have been written and not read yet. */
  get waiting(): number {
    let waiting = this.#page === undefined ? 0 : this.#start - this.#page.read
    for (const { written, read } of this.#full) waiting += written - read
    this.#mostWaiting = waiting
    return waiting
  }

  /** Returns whether `bytes` more would leave no more than `most` waiting. The reader's position is read only if they might not. */
  hasRoom(bytes: number, most: number): boolean {
    return this.#mostWaiting + bytes <= most || this.waiting + bytes <= most
  }

  append(run: number, message: RunMessage, body: EntryBody): void {
    this.#end = this.#start
    this.#reserve(HEAD)
    this.#end += HEAD
    const form = this.#writeMessage(message)
    const length = this.#end - this.#start - HEAD
    const kind = this.#writeBody(body)
    const { numbers } = this.#current
    numbers.setUint32(this.#start, run, true)
    numbers.setUint32(this.#start + 4, length, true)
    numbers.setUint32(this.#start + 8, this.#end - this.#start - HEAD - length, true)
    numbers.setUint8(this.#start + 12, kind | form)
    this.#mostWaiting += this.#end - this.#start
    this.#start = this.#end
    this.#current.written = this.#end
  }

  /** Blocks until everything is read, for `milliseconds` at most. Returns whether it is. */
  waitForReader(milliseconds: number): boolean {
    const end = realTimers.now() + milliseconds
    for (const page of [...this.#full, ...(this.#page === undefined ? [] : [this.#page])]) {
      for (let { read } = page; read < page.written; { read } = page) {
        const left = end - realTimers.now()
        if (left <= 0) return false
        page.waitForReader(read, left)
      }
    }
    return true
  }

  /** Called when there is no reader any more: nothing waits. */
  drop(): void {
    this.#page = undefined
    this.#full = []
    this.#start = 0
    this.#mostWaiting = 0
  }

  /** Returns the kind of the numbers that replace the JSON, or 0. */
  #writeMessage(message: RunMessage): number {
    switch (message.kind) {
      case 'piece':
        if (message.turns !== undefined) break
        this.#writeNumbers(message)
        return PIECE
      case 'settled':
        if (!isBareReturn(message.row)) break
        this.#writeNumbers(message.row)
        return ENDED
      case 'reads':
        if (message.uuid.length > 0 || message.bytes.length > 0 || message.facts.length > 0) break
        this.#writeDraws(message)
        return DRAWS
      default:
    }
    this.#writeText(JSON.stringify(toPlain(message)))
    return 0
  }

  #writeDraws(reads: RawReads): void {
    const { clock, monotonic, random } = reads
    this.#reserve(DRAWS_HEAD + 8 * (clock.length + monotonic.length + random.length))
    const { numbers } = this.#current
    numbers.setUint32(this.#end, reads.owner, true)
    numbers.setUint32(this.#end + 4, clock.length, true)
    numbers.setUint32(this.#end + 8, monotonic.length, true)
    numbers.setUint32(this.#end + 12, random.length, true)
    this.#end += DRAWS_HEAD
    this.#writeDrawn(clock)
    this.#writeDrawn(monotonic)
    this.#writeDrawn(random)
  }

  #writeDrawn(drawn: readonly number[]): void {
    const { numbers } = this.#current
    for (const value of drawn) {
      numbers.setFloat64(this.#end, value, true)
      this.#end += 8
    }
  }

  #writeNumbers({ step, at, sameTick, sameTurn }: Numbers): void {
    this.#reserve(NUMBERS)
    const { numbers } = this.#current
    numbers.setUint32(this.#end, step, true)
    numbers.setFloat64(this.#end + 4, at, true)
    numbers.setUint8(this.#end + 12, sameTick === true ? SAME_TICK : sameTurn === true ? SAME_TURN : 0)
    this.#end += NUMBERS
  }

  /** Returns the kind of the body. */
  #writeBody(body: EntryBody): number {
    if (body === undefined) return NONE
    if (isUint8Array(body)) {
      this.#reserve(body.length)
      this.#current.bytes.set(body, this.#end)
      this.#end += body.length
      return BYTES
    }
    if (typeof body === 'string') this.#writeText(body)
    else this.#writeResent(body)
    return typeof body === 'string' ? TEXT : RESENT
  }

  #writeResent({ base, place, keep, end, added }: ResentText): void {
    this.#reserve(RESENT_HEAD)
    const { numbers } = this.#current
    numbers.setUint8(this.#end, base)
    numbers.setUint8(this.#end + 1, place)
    numbers.setUint32(this.#end + 2, keep, true)
    numbers.setUint32(this.#end + 6, end, true)
    this.#end += RESENT_HEAD
    this.#writeText(added)
  }

  /** @note Asking for the byte length of a long text costs ten times as much as writing it. */
  #writeText(text: string): void {
    if (text.length < SHORT) {
      this.#reserve(text.length * 3)
      this.#end += this.#current.bytes.write(text, this.#end)
      return
    }
    this.#reserve(text.length)
    const { read, written } = encoder.encodeInto(text, this.#current.bytes.subarray(this.#end))
    this.#end += written
    if (read === text.length) return
    this.#reserve((text.length - read) * 3)
    this.#end += encoder.encodeInto(text.slice(read), this.#current.bytes.subarray(this.#end)).written
  }

  get #current(): Page {
    return this.#page ?? this.#turnTo(this.#pool.take(0))
  }

  /** Makes room for `bytes` more. If the page is full, the part of the message written so far moves to the next page. */
  #reserve(bytes: number): void {
    const page = this.#current
    if (this.#end + bytes <= page.bytes.length) return
    const begun = this.#end - this.#start
    this.#takeBack()
    const next = this.#pool.take(begun + bytes)
    page.bytes.copy(next.bytes, 0, this.#start, this.#end)
    page.fill()
    this.#full.push(page)
    this.#turnTo(next)
    this.#start = 0
    this.#end = begun
  }

  #turnTo(page: Page): Page {
    this.#page = page
    this.#onPage(page.memory)
    return page
  }

  #takeBack(): void {
    while (this.#full[0]?.isLeft === true) {
      const page = this.#full.shift()
      if (page !== undefined) this.#pool.giveBack(page)
    }
  }
}

/** Returns whether the numbers of an end describe it completely. */
function isBareReturn(row: RawSettled['row']): boolean {
  const { by, sync, turns, outlasted, connection } = row
  return row.kind === 'return' && !('output' in row) && (by ?? sync ?? turns ?? outlasted ?? connection) === undefined
}

/** A text up to this length gets the maximum room that it could take. */
const SHORT = 4_096
const encoder = new TextEncoder()
