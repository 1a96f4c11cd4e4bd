import { moveEdits } from './edits.ts'
import type { GrowingRedaction, Settle, TextRedactor } from './growing-redaction.ts'
import { startOfUnfinished } from './unfinished.ts'

/** A longer text is written before it is complete, so its fields may not be recognised: memory is bounded. */
const longestWhole = 4_000_000

/** A text without meaningful lines. It is settled up to the possible beginning of a secret. */
export class PlainRedaction implements GrowingRedaction {
  readonly #redactor: TextRedactor
  readonly #settle: Settle
  #open = ''
  #start = 0
  /** How much of the text waits for its end. */
  readonly #whole: number

  /** @param isWhole Whether the text's fields are known only once it is complete. */
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
