import type { Edit } from './edits.ts'
import type { BodyRedaction, GrowingRedaction, Settle } from './growing-redaction.ts'

/**
 * Redacts a text that arrives in pieces, each into its own place: a secret may begin in one piece and end in the next. A piece waits for the next one
 * only while it ends in the possible beginning of a secret. A stand-in that spans pieces is divided at the same places.
 *
 * The text is bytes as characters (latin1), because a piece may end within a character; secrets are ASCII.
 */
export class PiecewiseRedaction implements BodyRedaction {
  readonly #redaction: GrowingRedaction
  /** Pieces that have not been handed on yet. */
  readonly #waiting: WaitingPiece[] = []
  #length = 0
  #hasChanged = false

  /** @param redact Creates the redaction that finds the edits of the whole text. */
  constructor(redact: (settle: Settle) => GrowingRedaction) {
    this.#redaction = redact((upTo, edits) => this.#settle(upTo, edits))
  }

  get hasChanged(): boolean {
    return this.#hasChanged
  }

  /** Takes a piece; calls `hand` with the redacted piece, synchronously or once more of the text is known. */
  add(piece: string, hand: (piece: string) => void): void {
    this.#waiting.push({ start: this.#length, text: piece, edits: [], hand })
    this.#length += piece.length
    this.#redaction.add(piece)
  }

  /** Ends the text: hands on the pieces that wait. */
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
      this.#hasChanged ||= next.edits.length > 0
      next.hand(redactPiece(next))
    }
  }
}

/** Returns the pieces of a text with the edits of the text applied. */
export function redactPieces(pieces: readonly string[], edits: readonly Edit[]): string[] {
  const redacted: string[] = []
  const redaction = new PiecewiseRedaction((settle) => {
    let length = 0
    return { add: (text) => void (length += text.length), end: () => settle(length, edits) }
  })
  for (const piece of pieces) redaction.add(piece, (text) => redacted.push(text))
  redaction.end()
  return redacted
}

interface WaitingPiece {
  readonly start: number
  readonly text: string
  /** The edits that touch the piece. */
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
    // Each piece takes as much of the stand-in as it had of the secret; the last piece takes the rest.
    output += edit.text.slice(Math.max(0, -from), to <= length ? undefined : length - from)
    at = Math.min(to, length)
  }
  return output + text.slice(at)
}
