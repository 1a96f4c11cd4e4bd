import type { Transform } from 'node:stream'
import { builtins } from '../builtins.ts'
import type { Coding } from './codings.ts'

/** Decodes one piece of a body after the other: gives what each piece adds. Rejects for a piece that is in no such coding, and ever after. */
export type PieceDecoder = (piece: Uint8Array) => Promise<Uint8Array>

/** A decoder of bodies in `codings`, the last one applied first. It takes one piece at a time. */
export function createPieceDecoder(codings: readonly Coding[]): PieceDecoder {
  const stages = codings.toReversed().map(createStage)
  return async (piece) => {
    let decoded = piece
    for (const stage of stages) decoded = await stage(decoded)
    return decoded
  }
}

function createStage(coding: Coding): PieceDecoder {
  let stage: PieceDecoder | undefined
  return async (piece) => {
    if (piece.length === 0) return piece
    stage ??= drive(createTransform(coding, piece[0] ?? 0))
    return await stage(piece)
  }
}

function drive(transform: Transform): PieceDecoder {
  let decoded: Uint8Array[] = []
  let isOver = false
  let settle: ((error?: Error | null) => void) | undefined
  // Before the stream's own buffer: what was pushed when a write is done is what was written.
  transform.push = (bytes: Uint8Array | null) => {
    if (bytes !== null) decoded.push(bytes)
    else {
      // What comes after the end is nobody's, and its write is never done.
      isOver = true
      settle?.()
    }
    return true
  }
  transform.on('error', (error) => settle?.(error))
  return async (piece) => {
    if (isOver) return new Uint8Array()
    decoded = []
    await new Promise<void>((resolve, reject) => {
      settle = (error) => (error === undefined || error === null ? resolve() : reject(error))
      transform.write(piece, settle)
    })
    return Buffer.concat(decoded)
  }
}

function createTransform(coding: Coding, first: number): Transform {
  const flush = builtins.zlib.constants.Z_SYNC_FLUSH
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return builtins.zlib.createGunzip({ flush })
    case 'deflate':
      // With a zlib header or without, see `Inflate`.
      return (first & 0x0f) === 8 ? builtins.zlib.createInflate({ flush }) : builtins.zlib.createInflateRaw({ flush })
    case 'br':
      return builtins.zlib.createBrotliDecompress({ flush: builtins.zlib.constants.BROTLI_OPERATION_FLUSH })
    case 'zstd':
      return builtins.zlib.createZstdDecompress()
  }
}
