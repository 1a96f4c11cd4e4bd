import type { GrowingRedaction, Settle, TextRedactor } from './growing-redaction.ts'
import { startOfUnfinished } from './unfinished.ts'

/** Longer JSON is written before it is whole, and its fields are not known by their path: memory is bounded. */
const longestJson = 4_000_000

/** A text without lines that mean something: settled up to what may be the beginning of a secret. */
export class PlainRedaction implements GrowingRedaction {
  readonly #redactor: TextRedactor
  readonly #settle: Settle
  #open = ''
  #start = 0
  /** So much waits for the end of the text. */
  readonly #whole: number

  /** @param isJson Whether the text is JSON, in which fields may have to be known by their path. */
  constructor(redactor: TextRedactor, settle: Settle, isJson = false) {
    this.#redactor = redactor
    this.#settle = settle
    this.#whole = isJson && redactor.hasPaths ? longestJson : 0
  }

  add(text: string): void {
    this.#open += text
    if (this.#start + this.#open.length > this.#whole) this.#close(startOfUnfinished(this.#open, this.#redactor.hasOwnRules))
  }

  end(): void {
    this.#close(this.#open.length)
  }

  #close(length: number): void {
    const start = this.#start
    const edits = this.#redactor.edits(this.#open.slice(0, length))
    this.#open = this.#open.slice(length)
    this.#start += length
    this.#settle(
      this.#start,
      edits.map((edit) => ({ start: start + edit.start, end: start + edit.end, text: edit.text })),
    )
  }
}
