import { codingsOf } from '../../http/codings.ts'
import { createPieceDecoder, type PieceDecoder } from './piece-decoder.ts'

/** Decodes an answer for the trace, beside an agent that reads it encoded as it came. */
export class AnswerDecoding {
  #decoder: PieceDecoder | undefined

  /** @param encoding Codings that are all known. */
  constructor(encoding: string) {
    const codings = codingsOf(encoding) ?? []
    this.#decoder = createPieceDecoder(codings)
  }

  /** What a piece adds; undefined from the piece on that is in no such coding. */
  decode(piece: Uint8Array): Uint8Array | undefined {
    try {
      return this.#decoder?.decode(piece)
    } catch {
      this.close()
      return undefined
    }
  }

  /** Nothing follows: gives whether the body ended before its coding did. */
  isCut(): boolean {
    return this.#decoder?.end() === false
  }

  /** Nothing follows. */
  close(): void {
    this.#decoder?.close()
    this.#decoder = undefined
  }
}
