import { moveEdits } from './edits.ts'
import type { GrowingRedaction, Settle, TextRedactor } from './growing-redaction.ts'
import { startOfUnfinished } from './unfinished.ts'

/** A longer text is written before it is whole, and its fields may not be known: memory is bounded. */
const longestWhole = 4_000_000

/** A text without lines that mean something: settled up to what may be the beginning of a secret. */
export class PlainRedaction implements GrowingRedaction {
  readonly #redactor: TextRedactor
  readonly #settle: Settle
  #open = ''
  #start = 0
  /** So much waits for the end of the text. */
  readonly #whole: number

  /** @param isWhole Whether the fields of the text are only known once all of it is there. */
  constructor(redactor: TextRedactor, settle: Settle, isWhole = false) {
    this.#redactor = redactor
    this.#settle = settle
    this.#whole = isWhole ? longestWhole : 0
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
    this.#settle(this.#start, moveEdits(edits, start))
  }
}
