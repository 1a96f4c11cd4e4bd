import { splitPayload, type PayloadPart } from './frame-payload.ts'
import { checksumLength, preludeLength, readPrelude, redactFrameHeaders, rewriteFrame, type FramePrelude } from './frame.ts'
import type { BodyRedaction, TextRedactor } from './growing-redaction.ts'
import { joinParts } from './places.ts'

/**
 * Redacts an AWS event stream, frame by frame: the texts in a frame's headers, and its payload as lines of a stream of JSON, so that a text that
 * arrives bit by bit is checked as a whole. Lengths and checksums of changed frames are recomputed. A frame keeps the pieces in which it arrived, and
 * is complete in the last of them. If no frame begins, the rest is treated as bytes.
 */
export class FrameRedaction implements BodyRedaction {
  readonly #redactor: TextRedactor
  readonly #lines: BodyRedaction
  readonly #bytes: BodyRedaction
  /** The part of the next frame that has arrived, and the pieces that it comes from. */
  #open = ''
  #shares: Share[] = []
  #isFramed = true
  #hasChanged = false

  /**
   * @param lines Redacts lines of JSON.
   * @param bytes Redacts text within bytes.
   */
  constructor(redactor: TextRedactor, lines: BodyRedaction, bytes: BodyRedaction) {
    this.#redactor = redactor
    this.#lines = lines
    this.#bytes = bytes
  }

  get hasChanged(): boolean {
    return this.#hasChanged || this.#bytes.hasChanged
  }

  add(piece: string, hand: (piece: string) => void): void {
    if (piece === '') return hand('')
    this.#open += piece
    this.#shares.push({ reserve: joinParts(piece.length, hand), length: piece.length })
    while (this.#isFramed && this.#open.length >= preludeLength) {
      const prelude = readPrelude(this.#open)
      if (prelude === undefined) this.#isFramed = false
      else if (this.#open.length < prelude.length) return
      else this.#redactFrame(prelude, prelude.length)
    }
    if (!this.#isFramed) this.#redactBytes()
  }

  end(): void {
    const prelude = this.#isFramed ? readPrelude(this.#open) : undefined
    const hasPayload = prelude !== undefined && this.#open.length > preludeLength + prelude.headersLength
    // A truncated frame stays truncated: its lengths show that bytes are missing.
    if (hasPayload) this.#redactFrame(prelude, this.#open.length)
    else this.#redactBytes()
    this.#isFramed = false
    this.#lines.end()
    this.#bytes.end()
  }

  /** Redacts the next frame, or the part of it that is available. */
  #redactFrame({ length, headersLength }: FramePrelude, available: number): void {
    const shares = this.#take(available)
    const recorded = shares.frame
    const start = preludeLength + headersLength
    const headers = recorded.slice(preludeLength, start)
    const payload = recorded.slice(start, length - checksumLength)
    const redactedHeaders = redactFrameHeaders(headers, (text) => this.#redactor.edits(text))
    this.#redactPayload(payload, (redacted) => {
      if (redactedHeaders === headers && redacted === payload) return shares.fill(recorded)
      this.#hasChanged = true
      if (available === length) shares.fill(rewriteFrame(recorded, redactedHeaders, redacted))
      else shares.fill(`${recorded.slice(0, preludeLength)}${redactedHeaders}${redacted}`.slice(0, available))
    })
  }

  #redactPayload(payload: string, hand: (redacted: string) => void): void {
    const parts = splitPayload(payload)
    if (parts.length === 0) return hand('')
    const reserve = joinParts(parts.length, hand)
    for (const part of parts) {
      const fill = reserve(1)
      this.#redactPart(part, (redacted) => fill(part.write(redacted)))
    }
  }

  #redactPart({ text, isJson }: PayloadPart, hand: (redacted: string) => void): void {
    if (isJson) this.#lines.add(`${text}\n`, (line) => hand(line.replace(/\n$/, '')))
    else this.#bytes.add(text, hand)
  }

  /** Treats the open part as bytes outside any frame. */
  #redactBytes(): void {
    for (const { reserve, length } of this.#shares.splice(0)) {
      const fill = reserve(length)
      this.#bytes.add(this.#open.slice(0, length), fill)
      this.#open = this.#open.slice(length)
    }
  }

  /** Takes a frame, or the available part of it, out of the pieces in which it arrived. */
  #take(length: number): { readonly frame: string; readonly fill: (frame: string) => void } {
    const frame = this.#open.slice(0, length)
    this.#open = this.#open.slice(length)
    const parts: { readonly end: number; readonly fill: (text: string) => void }[] = []
    for (let end = 0; end < length;) {
      const [share] = this.#shares
      if (share === undefined) break
      const taken = Math.min(share.length, length - end)
      end += taken
      share.length -= taken
      if (share.length === 0) this.#shares.shift()
      parts.push({ end, fill: share.reserve(taken) })
    }
    return { frame, fill: (redacted) => divide(redacted, parts) }
  }
}

/** The part of a piece that no frame has taken yet. The piece is handed on once it is completely known. */
interface Share {
  /** Reserves the place for the redacted form of the next characters. */
  readonly reserve: (length: number) => (text: string) => void
  length: number
}

/** Fills each part with as many characters as it had of the recorded frame; the last part takes the rest, and at least one character. */
function divide(frame: string, parts: readonly { readonly end: number; readonly fill: (text: string) => void }[]): void {
  let at = 0
  for (const [index, { end, fill }] of parts.entries()) {
    const to = index === parts.length - 1 ? frame.length : Math.min(end, frame.length - 1)
    fill(frame.slice(at, to))
    at = to
  }
}
