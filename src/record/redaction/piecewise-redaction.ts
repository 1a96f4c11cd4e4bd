/**
 * Redacts a text that comes in pieces, each into a place of its own: a secret may begin in one piece and end in another. A piece waits for the
 * next one only while it ends in what may be the beginning of a secret, and stays as long as it was wherever stand-ins keep the length.
 *
 * The text is bytes as characters (latin1), since a piece may end within a character; secrets are ASCII.
 */
export class PiecewiseRedaction {
  readonly #redact: (text: string) => string
  /** Pieces that are not handed on yet. */
  readonly #waiting: WaitingPiece[] = []
  /** Redacted, for the pieces that wait. */
  #ready = ''
  /** Not redacted: it may be the beginning of a secret. */
  #open = ''

  constructor(redact: (text: string) => string) {
    this.#redact = redact
  }

  /** Takes a piece; `hand` is called with it, redacted, at once or when more of the text is known. */
  add(piece: string, hand: (piece: string) => void): void {
    this.#waiting.push({ length: piece.length, hand })
    this.#open += piece
    this.#close(startOfUnfinished(this.#open))
  }

  /** The text is complete: hands on what waits. */
  end(): void {
    this.#close(this.#open.length)
  }

  #close(length: number): void {
    this.#ready += this.#redact(this.#open.slice(0, length))
    this.#open = this.#open.slice(length)
    for (;;) {
      const [next, ...others] = this.#waiting
      // Where all is known, the last one takes what there is.
      const isLast = this.#open === '' && others.length === 0
      if (next === undefined || (!isLast && this.#open !== '' && this.#ready.length < next.length)) return
      const piece = isLast ? this.#ready : this.#ready.slice(0, next.length)
      this.#ready = this.#ready.slice(piece.length)
      this.#waiting.shift()
      next.hand(piece)
    }
  }
}

interface WaitingPiece {
  readonly length: number
  readonly hand: (piece: string) => void
}

/** Longer than any secret: what goes on for longer is data. */
const longestSecret = 16_384

/** Where the part of a text starts that may be the beginning of a secret: the text's length when there is none. */
function startOfUnfinished(text: string): number {
  const token = startOfToken(text)
  const start = startOfPrivateKey(text.slice(0, token)) ?? token
  return text.length - start > longestSecret ? text.length : start
}

/** The characters at the end that tokens are made of, with a `Bearer` before them. Read backwards: a pattern would read a long run over and over. */
function startOfToken(text: string): number {
  const floor = Math.max(0, text.length - longestSecret - 1)
  let start = text.length
  while (start > floor && isTokenCharacter(text.charCodeAt(start - 1))) start -= 1
  return /bearer $/i.test(text.slice(Math.max(0, start - 7), start)) ? start - 7 : start
}

/** Where a private key starts that has no end yet. */
function startOfPrivateKey(text: string): number | undefined {
  const start = text.lastIndexOf('-----BEGIN ')
  return start === -1 || /-----END [A-Z ]*-----/.test(text.slice(start)) ? undefined : start
}

/** Letters, digits and `+ - . / = _ ~`. */
function isTokenCharacter(code: number): boolean {
  const isLetter = (code >= 65 && code <= 90) || (code >= 97 && code <= 122)
  return isLetter || (code >= 45 && code <= 57) || code === 43 || code === 61 || code === 95 || code === 126
}
