import zlib from 'node:zlib'

/** Decodes a whole body, last coding first. Undefined where there is nothing to decode, or a coding is not known. */
export type BodyDecoder = (bytes: Uint8Array) => Uint8Array

const lenient = { finishFlush: zlib.constants.Z_SYNC_FLUSH }

const decoders: Readonly<Record<string, BodyDecoder>> = {
  gzip: (bytes) => zlib.gunzipSync(bytes, lenient),
  'x-gzip': (bytes) => zlib.gunzipSync(bytes, lenient),
  deflate: (bytes) => (((bytes[0] ?? 0) & 0x0f) === 8 ? zlib.inflateSync(bytes, lenient) : zlib.inflateRawSync(bytes, lenient)),
  br: (bytes) => zlib.brotliDecompressSync(bytes),
  zstd: (bytes) => zlib.zstdDecompressSync(bytes),
}

/**
 * What decodes a body of this `content-encoding`, at once: a replay knows the whole body, and what settles in the thread pool would come in any
 * order.
 */
export function bodyDecoder(encoding: string | undefined): BodyDecoder | undefined {
  const names = (encoding ?? '').split(',').map((name) => name.trim().toLowerCase())
  const stages = names.filter((name) => name !== '' && name !== 'identity').map((name) => decoders[name])
  if (stages.length === 0 || stages.includes(undefined)) return undefined
  return (bytes) => stages.toReversed().reduce((decoded, stage) => stage?.(decoded) ?? decoded, bytes)
}
