import { isUint8Array } from 'node:util/types'
import { builtins } from '../node/builtins.ts'
import { type Coding, codingsOf } from './codings.ts'
import { hasZlibHeader } from './inflate.ts'

/** Decodes a body, or as much of it as there is. Throws for bytes that are in no such coding. */
export type BodyDecoder = (bytes: Uint8Array) => Uint8Array

/** What decodes a body of this `content-encoding`, at once. Undefined where there is nothing to decode, or a coding is not known. */
export function bodyDecoder(encoding: string | undefined): BodyDecoder | undefined {
  const codings = codingsOf(encoding)
  return codings && ((bytes) => decodeBody(bytes, codings))
}

/** Decodes a body, or as much of it as there is. Throws for bytes that are not in these codings, the last one applied first. */
function decodeBody(bytes: Uint8Array, codings: readonly Coding[]): Uint8Array {
  return codings.toReversed().reduce((decoded, coding) => decoders[coding](decoded), bytes)
}

/** A body as it was meant: decoded where its `content-encoding` is known and it really is in it, else as it is. */
export function decodedBody<Body extends Uint8Array | string | undefined>(body: Body, encoding: string | undefined): Body | Uint8Array {
  const decode = isUint8Array(body) && body.length > 0 ? bodyDecoder(encoding) : undefined
  try {
    return decode === undefined || !isUint8Array(body) ? body : decode(body)
  } catch {
    // Whoever sent it said what is not so, and that is for the other side to find.
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
