/**
 * Redacts a text that comes in pieces, each into a place of its own: a secret may begin in one piece and end in another. A piece waits for the
 * next one only while it ends in what may be the beginning of a secret, and stays as long as it was wherever stand-ins keep the length.
 *
 * The text is bytes as characters (latin1), since a piece may end within a character; secrets are ASCII.
 */
export class PiecewiseRedaction {
  readonly #redact: (text: string) => string
  /** Pieces that are not handed on yet. */
  #waiting: { readonly length: number; readonly hand: (piece: string) => void }[] = []
  /** Redacted, for the pieces that wait. */
  #ready = ''
  /** Not redacted: it ends in what may be the beginning of a secret. */
  #open = ''

  constructor(redact: (text: string) => string) {
    this.#redact = redact
  }

  /** Takes a piece; `hand` is called with it, redacted, now or once more of the text is known. */
  add(piece: string, hand: (piece: string) => void): void {
    this.#waiting.push({ length: piece.length, hand })
    this.#open += piece
    this.#close(this.#open.length > longestOpen ? this.#open.length : startOfUnfinished(this.#open))
  }

  /** The text is complete: hands on what waits. */
  end(): void {
    this.#close(this.#open.length)
  }

  #close(length: number): void {
    this.#ready += this.#redact(this.#open.slice(0, length))
    this.#open = this.#open.slice(length)
    while (this.#waiting.length > 0) {
      const [{ length: wanted, hand } = none] = this.#waiting
      const isLast = this.#open === '' && this.#waiting.length === 1
      if (!isLast && this.#open !== '' && this.#ready.length < wanted) return
      const piece = isLast ? this.#ready : this.#ready.slice(0, wanted)
      this.#ready = this.#ready.slice(piece.length)
      this.#waiting.shift()
      hand(piece)
    }
  }
}

const none = { length: 0, hand: (): void => undefined }

/** Longer than any secret; a longer run of such characters is data. */
const longestOpen = 16_384

/** At the end of a text: characters that secrets are made of, a `Bearer` without its token, a private key without its end. */
const unfinished = /(?:[Bb]earer )?[\w.~+/=-]+$|[Bb]earer $/

const privateKey = /-----BEGIN [A-Z ]*(?:PRIVATE KEY-----(?![^]*?-----END[A-Z -]*-----)[^]*)?$/

/** Where the part of a text starts that may be the beginning of a secret: the text's length when there is none. */
function startOfUnfinished(text: string): number {
  const tail = text.slice(-longestOpen)
  const starts = [unfinished, privateKey].map((pattern) => tail.search(pattern)).filter((start) => start >= 0)
  return text.length - tail.length + Math.min(tail.length, ...starts)
}
