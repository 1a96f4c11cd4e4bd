import { builtins } from '../node/builtins.ts'
import { loadMinizlib } from './minizlib.ts'

/** What to expand. */
export interface ExpandOptions {
  /** The most bytes of the result. */
  readonly limit: number
  /** Set for a stream that has no end, or is cut. Default: false. */
  readonly isOpen?: boolean
  readonly dictionary?: Uint8Array | undefined
}

/** Up to this many bytes, a stream is decompressed without being measured first. */
export const UNMEASURED = 64_000_000

/**
 * Decompresses a zstd stream; undefined if the result would be longer than the limit. A longer one is measured first, in little memory.
 *
 * @throws Error if the stream is damaged, or needs a larger window than any recorder has used.
 */
export function expand(stream: Uint8Array, { limit, isOpen = false, dictionary }: ExpandOptions): Buffer | undefined {
  const { constants, zstdDecompressSync } = builtins.zlib
  const options = {
    params: { [constants.ZSTD_d_windowLogMax]: WINDOW },
    ...(isOpen && { finishFlush: constants.ZSTD_e_flush }),
    ...(dictionary && { dictionary }),
  }
  try {
    return zstdDecompressSync(stream, { ...options, maxOutputLength: Math.min(limit, UNMEASURED) })
  } catch (error) {
    if (!isTooLong(error)) throw error
  }
  // A dictionary is for short recordings only, which need no measuring.
  if (limit <= UNMEASURED || (dictionary === undefined && measure(stream, limit) > limit)) return undefined
  try {
    return zstdDecompressSync(stream, { ...options, maxOutputLength: limit })
  } catch (error) {
    if (isTooLong(error)) return undefined
    throw error
  }
}

/** Returns the length of a decompressed zstd stream, or of its part that is just longer than `most`. */
export function measure(stream: Uint8Array, most: number): number {
  const { ZstdDecompress } = loadMinizlib()
  const params = { [builtins.zlib.constants.ZSTD_d_windowLogMax]: WINDOW }
  const decompressor = new ZstdDecompress({ params } as never)
  const found: { length: number; failure?: unknown } = { length: 0 }
  decompressor.on('data', (bytes) => (found.length += bytes.length))
  decompressor.on('error', (error) => (found.failure = error))
  for (let at = 0; at < stream.length; at += PIECE) {
    decompressor.write(Buffer.from(stream.subarray(at, at + PIECE)))
    if (found.length > most || found.failure !== undefined) break
  }
  decompressor.close()
  if (found.failure !== undefined) throw found.failure
  return found.length
}

function isTooLong(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
}

/** The binary logarithm of the largest window, in bytes: logs use 2^18, packs 2^21. The default would let a stream take 128 MB for it. */
const WINDOW = 23

/** Four bytes of a stream can be 128 kB of its result, so such a piece is at most 16 MB. */
const PIECE = 512
