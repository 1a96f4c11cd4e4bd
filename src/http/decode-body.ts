import { isUint8Array } from 'node:util/types'
import { builtins } from '../node/builtins.ts'
import { type Coding, codingsOf, hasZlibHeader } from './codings.ts'
import { orElse } from '../trace/or-else.ts'

/** Decodes a body or its available part. Throws if the bytes are not in that coding. */
export type BodyDecoder = (bytes: Uint8Array) => Uint8Array

/** Returns a synchronous decoder for a `content-encoding`; undefined if there is nothing to decode or a coding is unknown. */
export function bodyDecoder(encoding: string | undefined): BodyDecoder | undefined {
  const codings = codingsOf(encoding)
  // The coding that was applied last is decoded first.
  return codings && ((bytes) => codings.toReversed().reduce((decoded, coding) => decoders[coding](decoded), bytes))
}

/** Returns a decoded body, or the body unchanged if its `content-encoding` is unknown or wrong. */
export function decodedBody<Body extends Uint8Array | string | undefined>(body: Body, encoding: string | undefined): Body | Uint8Array {
  if (!isUint8Array(body) || body.length === 0) return body
  // The header is wrong, and the receiver notices that itself.
  return orElse(() => bodyDecoder(encoding)?.(body) ?? body, body)
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
