import type { ReadsRow } from '../trace/rows.ts'
import { unpackDoubles } from './unpack-doubles.ts'

/** Values that a run drew from clock and chance, known again in the text of an input. */
export class DrawnValues {
  /** Milliseconds since the epoch. */
  readonly #times = new Set<number>()
  readonly #seconds = new Set<number>()
  readonly #numbers = new Set<number>()
  readonly #words = new Set<string>()

  addTime(milliseconds: number): void {
    this.#times.add(milliseconds)
    this.#seconds.add(Math.floor(milliseconds / 1000))
  }

  addNumber(value: number): void {
    this.#numbers.add(value)
    // The usual way to make an id of chance.
    this.#words.add(value.toString(36).slice(2))
  }

  addWord(word: string): void {
    this.#words.add(word)
  }

  addBytes(bytes: Uint8Array): void {
    this.#words.add(Buffer.from(bytes).toString('hex'))
  }

  /** All that a recorded run drew; `startedAt` in milliseconds since the epoch. */
  addRecorded(startedAt: number, reads: readonly ReadsRow[]): void {
    let clock = startedAt
    for (const row of reads) {
      for (const difference of row.clock ?? []) this.addTime((clock += difference))
      for (const value of unpackDoubles(row)) this.addNumber(value)
      for (const value of row.uuid ?? []) this.addWord(value)
      for (const value of row.bytes ?? []) this.addBytes(value)
    }
  }

  /** The text with a name in the place of every drawn value. */
  blank(text: string): string {
    return text
      .replaceAll(isoTimes, (found) => (this.#times.has(Date.parse(found)) ? '<time>' : found))
      .replaceAll(numbers, (found) => this.#nameOf(Number(found)) ?? found)
      .replaceAll(uuids, (found) => (this.#words.has(found) ? '<id>' : found))
      .replaceAll(words, (found) => (this.#words.has(found) ? '<id>' : found))
  }

  #nameOf(value: number): string | undefined {
    if (this.#numbers.has(value)) return '<number>'
    return this.#times.has(value) || this.#seconds.has(value) ? '<time>' : undefined
  }
}

const isoTimes = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g
const numbers = /(?<![\w.-])\d+(?:\.\d+)?(?:e-\d+)?(?![\w.-])/g
const uuids = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g
const words = /\b[\da-z]{6,}\b/g
