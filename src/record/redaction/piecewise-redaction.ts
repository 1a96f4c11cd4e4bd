import type { Edit } from './edits.ts'
import { LineRedaction } from './line-redaction.ts'
import { startOfUnfinished } from './unfinished.ts'

/** What redacts the texts of a run. */
export interface TextRedactor {
  edits(text: string): readonly Edit[]
  /** Whether rules of the user's may find what spans any characters. */
  readonly hasOwnRules: boolean
}

/** Finds the edits of a text that grows. */
export interface GrowingRedaction {
  /** Takes more of the text. */
  add(text: string): void
  /** The text is complete. */
  end(): void
}

/** Tells that a text is settled up to a place, with the edits before it that were not told yet. Places are from the start of the text. */
export type Settle = (upTo: number, edits: readonly Edit[]) => void

/**
 * Redacts a text that comes in pieces, each into a place of its own: a secret may begin in one piece and end in another. A piece waits for the
 * next one only while it ends in what may be the beginning of a secret; a stand-in that spans pieces is divided where they were.
 *
 * The text is bytes as characters (latin1), since a piece may end within a character; secrets are ASCII.
 */
export class PiecewiseRedaction {
  readonly #redaction: GrowingRedaction
  /** Pieces that are not handed on yet. */
  readonly #waiting: WaitingPiece[] = []
  #length = 0

  /** @param isLines Whether the text is one of lines with JSON in them, as a stream of events is: their texts go on from line to line. */
  constructor(redactor: TextRedactor, isLines = false) {
    const settle: Settle = (upTo, edits) => this.#settle(upTo, edits)
    this.#redaction = isLines ? new LineRedaction(redactor, settle) : new PlainRedaction(redactor, settle)
  }

  /** Takes a piece; `hand` is called with it, redacted, at once or when more of the text is known. */
  add(piece: string, hand: (piece: string) => void): void {
    this.#waiting.push({ start: this.#length, text: piece, edits: [], hand })
    this.#length += piece.length
    this.#redaction.add(piece)
  }

  /** The text is complete: hands on what waits. */
  end(): void {
    this.#redaction.end()
  }

  #settle(upTo: number, edits: readonly Edit[]): void {
    for (const piece of this.#waiting) {
      const end = piece.start + piece.text.length
      for (const edit of edits) if (edit.start < end && edit.end > piece.start) piece.edits.push(edit)
    }
    for (;;) {
      const [next] = this.#waiting
      if (next === undefined || next.start + next.text.length > upTo) return
      this.#waiting.shift()
      next.hand(redactPiece(next))
    }
  }
}

interface WaitingPiece {
  readonly start: number
  readonly text: string
  /** Those that touch it. */
  readonly edits: Edit[]
  readonly hand: (piece: string) => void
}

function redactPiece({ start, text, edits }: WaitingPiece): string {
  const length = text.length
  let output = ''
  let at = 0
  for (const edit of edits) {
    const [from, to] = [edit.start - start, edit.end - start]
    if (from > at) output += text.slice(at, from)
    // As much of the stand-in as there was of the secret; the last piece takes what is left.
    output += edit.text.slice(Math.max(0, -from), to <= length ? undefined : length - from)
    at = Math.min(to, length)
  }
  return output + text.slice(at)
}

/** A text without lines that mean something: settled up to what may be the beginning of a secret. */
class PlainRedaction implements GrowingRedaction {
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
