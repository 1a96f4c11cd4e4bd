import type * as Minizlib from 'minizlib'
import { builtins } from '../../node/builtins.ts'
import { loadMinizlib } from '../minizlib.ts'

/** The most logs of a thread that have a compressor at a time. */
export const MOST_COMPRESSORS = 64

/** Compresses texts synchronously, one after another, each with references to earlier ones. */
export class Compressor {
  readonly #stream: Minizlib.ZstdCompress
  #compressed: Uint8Array[] = []

  constructor() {
    const { ZstdCompress } = loadMinizlib()
    const { ZSTD_c_compressionLevel, ZSTD_c_windowLog, ZSTD_c_hashLog, ZSTD_c_chainLog, ZSTD_e_flush } = builtins.zlib.constants
    const params = {
      [ZSTD_c_compressionLevel]: 3,
      [ZSTD_c_windowLog]: WINDOW,
      [ZSTD_c_hashLog]: LONG_TABLE,
      [ZSTD_c_chainLog]: SHORT_TABLE,
    }
    this.#stream = new ZstdCompress({ chunkSize: CHUNK, flush: ZSTD_e_flush, params } as never)
    this.#stream.on('data', (bytes) => this.#compressed.push(bytes))
  }

  /** Returns the bytes that a reader needs, in addition to the earlier output, to decompress the text. */
  compress(text: string): Uint8Array {
    this.#stream.write(Buffer.from(text))
    const compressed = Buffer.concat(this.#compressed)
    this.#compressed = []
    return compressed
  }

  /** Forgets all earlier text: starts a new zstd frame. Resetting the stream costs more, and loses its window on Node 22 and 24. */
  reset(): void {
    this.#stream.flush(builtins.zlib.constants.ZSTD_e_end)
    this.#compressed = []
  }

  close(): void {
    this.#stream.close()
  }
}

/**
 * Unused compressors. Creating one takes several times as long as compressing a small run. The pool keeps as many as a thread has used at a time,
 * so that none is created anew when many runs begin and end together.
 */
const idle: Compressor[] = []

/** Takes a compressor without earlier text. */
export function takeCompressor(): Compressor {
  const kept = idle.pop()
  if (kept === undefined) return new Compressor()
  try {
    kept.reset()
    return kept
  } catch {
    kept.close()
    return new Compressor()
  }
}

/** Returns a compressor to the pool. It must not have failed. */
export function giveBackCompressor(compressor: Compressor): void {
  if (idle.length < MOST_COMPRESSORS) idle.push(compressor)
  else compressor.close()
}

/** The output buffer of a compressor, in bytes: most frames are smaller. */
const CHUNK = 16_384

/**
 * The binary logarithms of its window in bytes, and of the sizes of its tables for long and for short matches. It needs less than a
 * megabyte. Four times the window, or the default tables of level 3, do not make logs smaller: repeated parts of a conversation are not
 * written again.
 */
const WINDOW = 18
const LONG_TABLE = 15
const SHORT_TABLE = 14
