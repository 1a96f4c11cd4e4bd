import { isAscii } from 'node:buffer'
import type { BodyRedaction } from '../../redaction/growing-redaction.ts'
import { textFromBytes } from '../../trace/body.ts'
import type { ChunkRow } from '../../trace/rows.ts'

/**
 * Redacts a piece of a body. Calls `fill` with the redacted piece, as text if it consists of whole characters, else as bytes, and with whether
 * redaction changed it.
 */
export function redactPiece(
  redaction: BodyRedaction,
  piece: Uint8Array,
  fill: (redacted: Pick<ChunkRow, 'text' | 'bytes'>, isChanged: boolean) => void,
): void {
  const isText = isAscii(piece)
  const characters = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('latin1')
  redaction.add(characters, (redacted) => fill(isText ? { text: redacted } : toPiece(redacted), redacted !== characters))
}

function toPiece(redacted: string): Pick<ChunkRow, 'text' | 'bytes'> {
  const bytes = new Uint8Array(Buffer.from(redacted, 'latin1'))
  const text = textFromBytes(bytes)
  return text === undefined ? { bytes } : { text }
}
