import { isUint8Array } from 'node:util/types'
import { builtins } from '../node/builtins.ts'
import { type Coding, codingsOf, hasZlibHeader } from './codings.ts'

/** Decodes a body, or as much of it as there is. Throws for bytes that are not in that coding. */
export type BodyDecoder = (bytes: Uint8Array) => Uint8Array

/** A synchronous decoder for a `content-encoding`. Undefined if there is nothing to decode, or a coding is unknown. */
export function bodyDecoder(encoding: string | undefined): BodyDecoder | undefined {
  const codings = codingsOf(encoding)
  // The last one that was applied comes first.
  return codings && ((bytes) => codings.toReversed().reduce((decoded, coding) => decoders[coding](decoded), bytes))
}

/** A decoded body; unchanged if its `content-encoding` is unknown, or wrong. */
export function decodedBody<Body extends Uint8Array | string | undefined>(body: Body, encoding: string | undefined): Body | Uint8Array {
  if (!isUint8Array(body) || body.length === 0) return body
  try {
    return bodyDecoder(encoding)?.(body) ?? body
  } catch {
    // The header is wrong, which the receiver finds out by itself.
    return body
  }
}

const decoders: Readonly<Record<Coding, BodyDecoder>> = {
  gzip: (bytes) => builtins.zlib.gunzipSync(bytes, { finishFlush: builtins.zlib.constants.Z_SYNC_FLUSH }),
  'x-gzip': (bytes) => builtins.zlib.gunzipSync(bytes, { finishFlush: builtins.zlib.constants.Z_SYNC_FLUSH }),
  deflate: (bytes) =>
    hasZlibHeader(bytes[0] ?? 0)
      ? builtins.zlib.inflateSync(bytes, { finishFlush: builtins.zlib.constants.Z_SYNC_FLUSH })
      : builtins.zlib.inflateRawSync(bytes, { finishFlush: builtins.zlib.constants.Z_SYNC_FLUSH }),
  br: (bytes) => builtins.zlib.brotliDecompressSync(bytes, { finishFlush: builtins.zlib.constants.BROTLI_OPERATION_FLUSH }),
  zstd: (bytes) => builtins.zlib.zstdDecompressSync(bytes, { finishFlush: builtins.zlib.constants.ZSTD_e_flush }),
}
