import type * as Minizlib from 'minizlib'
import { builtins } from '../../boundaries/builtins.ts'
import { loadMinizlib } from '../minizlib.ts'

/** Compresses one text after the other, each with what it shares with those before, and synchronously. */
export class Compressor {
  readonly #stream: Minizlib.ZstdCompress
  #compressed: Uint8Array[] = []

  /** @throws Error where its library is not installed: see `hasMinizlib`. */
  constructor() {
    const { ZstdCompress } = loadMinizlib()
    const { ZSTD_c_compressionLevel, ZSTD_c_windowLog } = builtins.zlib.constants
    this.#stream = new ZstdCompress({ chunkSize: CHUNK, params: { [ZSTD_c_compressionLevel]: 3, [ZSTD_c_windowLog]: WINDOW } } as never)
    this.#stream.on('data', (bytes) => this.#compressed.push(bytes))
  }

  /** All that a reader needs, beside what came before, to have the text. */
  compress(text: string): Uint8Array {
    this.#stream.write(Buffer.from(text))
    this.#stream.flush(builtins.zlib.constants.ZSTD_e_flush)
    const compressed = Buffer.concat(this.#compressed)
    this.#compressed = []
    return compressed
  }

  /** Forgets all that came before. */
  reset(): void {
    this.#stream.reset()
  }

  close(): void {
    this.#stream.close()
  }
}

/** Those that nobody uses. To make one takes longer than to compress a small run, and on Node 22 ten times as long. */
const idle: Compressor[] = []

/** How many of them are kept: each takes one or two megabytes. */
const MOST_IDLE = 8

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

/** The binary logarithm of how many bytes back it looks: memory is a small multiple of that. */
const WINDOW = 20
