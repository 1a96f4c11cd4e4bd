import type { Coding } from '../../http/codings.ts'
import { decodeBody } from '../../http/decode-body.ts'
import type { PieceDecoder } from './piece-decoder.ts'

/**
 * Decodes all that came anew with each piece: for programs that have left behind what decodes pieces, see `loadMinizlib`. Whether a body came to its end
 * is not known.
 */
export function createWholeDecoder(codings: readonly Coding[]): PieceDecoder {
  let body: Uint8Array = new Uint8Array()
  let known = 0
  return {
    decode(piece) {
      if (piece.length === 0) return piece
      body = Buffer.concat([body, piece])
      const decoded = decodeBody(body, codings)
      const added = decoded.subarray(known)
      known = decoded.length
      return added
    },
    end: () => true,
    close: () => undefined,
  }
}
