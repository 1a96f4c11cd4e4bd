import { builtins } from '../node/builtins.ts'
import { knownOrMade } from '../trace/remember.ts'
import type { Coding } from './codings.ts'

/** Returns how a decoder refuses bytes: its error's code and message. The message of minizlib begins with its own name. */
export function refusalOf(error: unknown): string {
  const { code, message = '' } = error as Partial<NodeJS.ErrnoException>
  return `${code ?? ''}: ${message.replace(/^zlib: /, '')}`
}

const decoders = {
  gzip: 'gunzipSync',
  'x-gzip': 'gunzipSync',
  deflate: 'inflateSync',
  br: 'brotliDecompressSync',
  zstd: 'zstdDecompressSync',
} as const

/** How many random bytes are tried, and how long each of them is. Four thousand take a quarter of a second, once for a refusal. */
const TRIES = 4000
const LENGTH = 512

const known = new Map<string, { readonly bytes: Uint8Array | undefined }>()

/**
 * Finds bytes that a decoder refuses in this way behind a start of the coding: a block with one bit turned, as a damaged body has it, or random bytes.
 *
 * @returns Undefined if there are none among those that are tried.
 */
export function findRefused(coding: Coding, { start, usual }: Place, refusal: string): Uint8Array | undefined {
  const key = `${coding} ${refusal} ${start.length} ${builtins.zlib.crc32(start)}`
  return knownOrMade(known, key, () => ({ bytes: search(coding, { start, usual }, refusal) })).bytes
}

/** Where the bytes come. */
interface Place {
  /** A body that has begun, behind which a block begins. Whether bytes are refused may depend on what was decoded before. */
  readonly start: Uint8Array
  /** Bytes that are refused in some way in every place. */
  readonly usual: Uint8Array
}

function search(coding: Coding, { start, usual }: Place, refusal: string): Uint8Array | undefined {
  const isRefusedThere = (bytes: Uint8Array): boolean => isRefused(coding, Buffer.concat([start, bytes]), refusal)
  if (isRefusedThere(usual)) return usual
  for (const bytes of damagedBlocks(coding)) if (isRefusedThere(bytes)) return bytes
  for (const bytes of randomBytes()) if (isRefusedThere(bytes)) return bytes
  return undefined
}

/** Gives a block of the coding once for each of its bits, with that bit turned. */
function* damagedBlocks(coding: Coding): Iterable<Uint8Array> {
  const words = Array.from(
    { length: 200 },
    (_, index) => `order ${(index * index * 7919) % 100_003} is ${index % 3 === 0 ? 'closed' : 'open'}`,
  )
  const block = blockOf(coding, Buffer.from(words.join(', ')))
  for (let bit = 0; bit < block.length * 8; bit += 1) {
    const bytes = Uint8Array.from(block)
    bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    yield bytes
  }
}

/** Returns an encoded text without the head of its coding. */
function blockOf(coding: Coding, text: Uint8Array): Uint8Array {
  const { zlib } = builtins
  if (coding === 'br') return withoutFirstBit(zlib.brotliCompressSync(text, { params: { [zlib.constants.BROTLI_PARAM_LGWIN]: 16 } }))
  if (coding !== 'zstd') return zlib.deflateRawSync(text)
  const frame = zlib.zstdCompressSync(text)
  return frame.subarray(zstdHeadLength(frame[4] ?? 0))
}

/** Of a brotli stream, the first bit is all that says a window of 64 kB. Source: RFC 7932, section 9.1. */
function withoutFirstBit(bytes: Uint8Array): Uint8Array {
  return bytes.map((byte, index) => (byte >> 1) | (((bytes[index + 1] ?? 0) & 1) << 7))
}

/** Returns how many bytes come before the first block of a zstd frame without a dictionary. Source: RFC 8878, section 3.1.1.1. */
function zstdHeadLength(descriptor: number): number {
  const isSingle = (descriptor & 0x20) !== 0
  const sizes = [isSingle ? 1 : 0, 2, 4, 8]
  return 5 + (isSingle ? 0 : 1) + (sizes[descriptor >> 6] ?? 0)
}

/** Gives the same bytes each time. */
function* randomBytes(): Iterable<Uint8Array> {
  let state = 1
  for (let tried = 0; tried < TRIES; tried += 1)
    yield Uint8Array.from({ length: LENGTH }, () => {
      // A linear congruential generator, with the constants of ANSI C.
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
      return (state >>> 16) & 0xff
    })
}

function isRefused(coding: Coding, bytes: Uint8Array, refusal: string): boolean {
  try {
    builtins.zlib[decoders[coding]](bytes)
    return false
  } catch (error) {
    return refusalOf(error) === refusal
  }
}
