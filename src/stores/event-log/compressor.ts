import type * as Minizlib from 'minizlib'
import { builtins } from '../../node/builtins.ts'
import { loadMinizlib } from '../minizlib.ts'

/** How many logs of a thread have a compressor at a time. */
export const MOST_COMPRESSORS = 64

/** Compresses one text after the other, each with what it shares with those before, and synchronously. */
export class Compressor {
  readonly #stream: Minizlib.ZstdCompress
  #compressed: Uint8Array[] = []

  /** @throws Error where its library is not installed: see `hasMinizlib`. */
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

  /** All that a reader needs, beside what came before, to have the text. */
  compress(text: string): Uint8Array {
    this.#stream.write(Buffer.from(text))
    const compressed = Buffer.concat(this.#compressed)
    this.#compressed = []
    return compressed
  }

  /** Forgets all that came before: the frame of zstd ends, and another begins. To reset the stream costs more, and loses its window on Node 22 and 24. */
  reset(): void {
    this.#stream.flush(builtins.zlib.constants.ZSTD_e_end)
    this.#compressed = []
  }

  close(): void {
    this.#stream.close()
  }
}

/** Those that nobody uses. To make one takes several times as long as to compress a small run. */
const idle: Compressor[] = []

/** How many of them are kept: as many as a thread uses at a time at the most, so that no more are made where many runs begin and end together. */
const MOST_IDLE = MOST_COMPRESSORS

/** A compressor that nothing came before. */
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

/** Lets go of a compressor that has not failed. */
export function giveBackCompressor(compressor: Compressor): void {
  if (idle.length < MOST_IDLE) idle.push(compressor)
  else compressor.close()
}

/** Compresses a text by itself, with nothing of those before. */
export function compressAlone(text: string): Uint8Array {
  return builtins.zlib.zstdCompressSync(text)
}

/** How much room a compressor takes for what it gives, in bytes: most frames are smaller. */
const CHUNK = 16_384

/**
 * The binary logarithms of how many bytes back it looks, and of the sizes of its tables for long and for short matches: so it takes less than a
 * megabyte. Four times the window, and the tables that level 3 has by itself, make logs no smaller: what a conversation repeats is not written again.
 */
const WINDOW = 18
const LONG_TABLE = 15
const SHORT_TABLE = 14
