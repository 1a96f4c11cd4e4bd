import type { GrowingRedaction, Settle, TextRedactor } from './growing-redaction.ts'
import { startOfUnfinished } from './unfinished.ts'

/** A text without lines that mean something: settled up to what may be the beginning of a secret. */
export class PlainRedaction implements GrowingRedaction {
  readonly #redactor: TextRedactor
  readonly #settle: Settle
  #open = ''
  #start = 0

  constructor(redactor: TextRedactor, settle: Settle) {
    this.#redactor = redactor
    this.#settle = settle
  }

  add(text: string): void {
    this.#open += text
    this.#close(startOfUnfinished(this.#open, this.#redactor.hasOwnRules))
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
