import { builtins } from '../node/builtins.ts'
import { type Coding, codingsOf } from './codings.ts'
import { findRefused } from './decoder-refusals.ts'

/** Encodes a body piece by piece, synchronously: each piece can be decoded as soon as it arrives. */
export interface ContentEncoder {
  piece(bytes: Uint8Array): Uint8Array
  /** Returns the bytes that end the body. */
  end(): Uint8Array
  /**
   * Returns bytes that make a reader fail after it has read everything before them.
   *
   * @param refusal How its decoder refuses them, as far as such bytes are found. Default: in any way.
   */
  fault(refusal?: string): Uint8Array
}

/**
 * Creates an encoder for a `content-encoding`; returns undefined if there is nothing to encode or a coding is unknown.
 *
 * It stores without compressing, because smaller answers in memory have no benefit. All four formats have stored blocks, which can be made
 * piece by piece without waiting for the thread pool.
 */
export function createContentEncoder(encoding: string | undefined): ContentEncoder | undefined {
  const stages = codingsOf(encoding)?.map((coding): ContentEncoder => new StoringEncoder(coding, formats[coding]()))
  return stages?.reduce((inner, outer) => chain(inner, outer))
}

function chain(inner: ContentEncoder, outer: ContentEncoder): ContentEncoder {
  return {
    piece: (bytes) => outer.piece(inner.piece(bytes)),
    end: () => Buffer.concat([outer.piece(inner.end()), outer.end()]),
    fault: (refusal) => outer.fault(refusal),
  }
}

/** How a format stores bytes. */
interface StoringFormat {
  readonly start: readonly number[]
  /** Returns the bytes before a block. */
  blockHead(length: number): readonly number[]
  /** Adds a block to the checksum at the end. */
  count?(bytes: Uint8Array): void
  end(): Uint8Array | readonly number[]
  /** The head of an invalid block. */
  readonly fault: readonly number[]
}

/** The longest block that all four formats accept. */
const longestBlock = 65_535

class StoringEncoder implements ContentEncoder {
  readonly #coding: Coding
  readonly #format: StoringFormat
  #started = false
  readonly #pieces: Uint8Array[] = []

  constructor(coding: Coding, format: StoringFormat) {
    this.#coding = coding
    this.#format = format
  }

  piece(bytes: Uint8Array): Uint8Array {
    const parts: Uint8Array[] = this.#start()
    this.#pieces.push(bytes)
    for (let offset = 0; offset < bytes.length; offset += longestBlock) {
      const block = bytes.subarray(offset, offset + longestBlock)
      this.#format.count?.(block)
      parts.push(Uint8Array.from(this.#format.blockHead(block.length)), block)
    }
    return Buffer.concat(parts)
  }

  end(): Uint8Array {
    return Buffer.concat([...this.#start(), Uint8Array.from(this.#format.end())])
  }

  fault(refusal?: string): Uint8Array {
    const usual = Uint8Array.from(this.#format.fault)
    const found = refusal === undefined ? undefined : findRefused(this.#coding, { start: this.#begun(), usual }, refusal)
    return Buffer.concat([...this.#start(), found ?? usual])
  }

  #start(): Uint8Array[] {
    if (this.#started) return []
    this.#started = true
    return [Uint8Array.from(this.#format.start)]
  }

  /** Returns what was given until now, as far as a decoder looks back. */
  #begun(): Uint8Array {
    const given = Buffer.concat(this.#pieces).subarray(-3 * longestBlock)
    return new StoringEncoder(this.#coding, formats[this.#coding]()).piece(given)
  }
}

const formats = {
  gzip: gzipFormat,
  'x-gzip': gzipFormat,
  deflate: deflateFormat,
  br: () => brotliFormat,
  zstd: () => zstdFormat,
}

/** Source: RFC 1952, section 2.3, around RFC 1951, section 3.2.4. */
function gzipFormat(): StoringFormat {
  let check = 0
  let size = 0
  return {
    start: [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff],
    blockHead: deflateBlockHead,
    count(bytes) {
      check = builtins.zlib.crc32(bytes, check)
      size += bytes.length
    },
    end() {
      const tail = Buffer.alloc(8)
      tail.writeUInt32LE(check, 0)
      tail.writeUInt32LE(size % 2 ** 32, 4)
      return Buffer.concat([lastDeflateBlock, tail])
    },
    fault: deflateFault,
  }
}

/** Has a zlib header, as RFC 9110 requires. Source: RFC 1950, sections 2.2 and 9. */
function deflateFormat(): StoringFormat {
  let [low, high] = [1, 0]
  return {
    start: [0x78, 0x01],
    blockHead: deflateBlockHead,
    count(bytes) {
      for (const byte of bytes) {
        low = (low + byte) % 65_521
        high = (high + low) % 65_521
      }
    },
    end() {
      const tail = Buffer.alloc(4)
      tail.writeUInt32BE(high * 65_536 + low)
      return Buffer.concat([lastDeflateBlock, tail])
    },
    fault: deflateFault,
  }
}

/** An empty last block. */
const lastDeflateBlock = Uint8Array.of(1, 0, 0, 0xff, 0xff)

/** A block of the third type. Source: RFC 1951, section 3.2.3. */
const deflateFault = [0b110]

function deflateBlockHead(length: number): number[] {
  return [0, length & 0xff, length >> 8, ~length & 0xff, (~length >> 8) & 0xff]
}

/** Starts with an empty metadata block, which fills up the byte of the window size. Source: RFC 7932, sections 9.1 and 9.2. */
const brotliFormat: StoringFormat = {
  start: [0b0000_1100],
  blockHead: (length) => littleEndian((1 << 19) | ((length - 1) << 3)),
  end: () => [0b11],
  // Section 9.2: the fourth bit of a metadata block has to be zero.
  fault: [0b1110],
}

/** Uses a window of 128 kB, without checksum or size. Source: RFC 8878, sections 3.1.1.1 and 3.1.1.2. */
const zstdFormat: StoringFormat = {
  start: [0x28, 0xb5, 0x2f, 0xfd, 0, 7 << 3],
  blockHead: (length) => littleEndian(length << 3),
  end: () => littleEndian(1),
  // Section 3.1.1.2.2: the third block type is reserved.
  fault: littleEndian(3 << 1),
}

/** Returns three bytes. */
function littleEndian(value: number): number[] {
  return [value & 0xff, (value >> 8) & 0xff, value >> 16]
}
