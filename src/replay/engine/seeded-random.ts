import { builtins } from '../../node/builtins.ts'

/** Draws that depend only on a seed. */
export interface SeededRandom {
  /** From 0 to below 1. */
  double(): number
  bytes(size: number): Uint8Array
  /** A version 4 UUID. */
  uuid(): string
}

/** A stream of draws for reads that a trace does not have, the same in every replay of the trace. SHA-256 in counter mode. */
export function createSeededRandom(seed: string): SeededRandom {
  let counter = 0
  let pool = new Uint8Array(0)
  const bytes = (size: number): Uint8Array => {
    while (pool.length < size) {
      counter += 1
      pool = Buffer.concat([pool, builtins.crypto.createHash('sha256').update(`${seed} ${counter}`).digest()])
    }
    const drawn = pool.slice(0, size)
    pool = pool.slice(size)
    return drawn
  }
  return {
    bytes,
    double() {
      // 53 bits, the precision of a double between 0 and 1.
      return Number(Buffer.from(bytes(8)).readBigUInt64BE() >> 11n) / 2 ** 53
    },
    uuid() {
      const drawn = bytes(16)
      drawn[6] = ((drawn[6] ?? 0) & 0x0f) | 0x40
      drawn[8] = ((drawn[8] ?? 0) & 0x3f) | 0x80
      const hex = Buffer.from(drawn).toString('hex')
      return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
    },
  }
}
