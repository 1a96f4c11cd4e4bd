import { builtins } from '../node/builtins.ts'

/** The cyclic redundancy checks of HTTP headers: CRC-32 of gzip, CRC-32C of Google and Amazon, CRC-64/NVME of Amazon. */
export class Crc {
  readonly #algorithm: string
  #crc32 = 0
  /** The upper half is in use only by checks of 64 bits. */
  #high: number
  #low = 0xffff_ffff

  constructor(algorithm: string) {
    this.#algorithm = algorithm
    this.#high = algorithm === 'crc64nvme' ? 0xffff_ffff : 0
  }

  update(bytes: Uint8Array): void {
    if (this.#algorithm === 'crc32') this.#crc32 = builtins.zlib.crc32(bytes, this.#crc32)
    else if (this.#algorithm === 'crc32c') this.#updateWith(bytes, castagnoli())
    else this.#updateWith(bytes, nvme())
  }

  digest(): Buffer {
    const result = Buffer.alloc(this.#algorithm === 'crc64nvme' ? 8 : 4)
    if (this.#algorithm === 'crc32') result.writeUInt32BE(this.#crc32)
    else if (this.#algorithm === 'crc32c') result.writeUInt32BE(~this.#low >>> 0)
    else {
      result.writeUInt32BE(~this.#high >>> 0, 0)
      result.writeUInt32BE(~this.#low >>> 0, 4)
    }
    return result
  }

  #updateWith(bytes: Uint8Array, { high, low }: Table): void {
    let [above, below] = [this.#high, this.#low]
    for (const byte of bytes) {
      const index = (below ^ byte) & 0xff
      below = ((below >>> 8) | (above << 24)) ^ (low[index] ?? 0)
      above = (above >>> 8) ^ (high[index] ?? 0)
    }
    this.#high = above >>> 0
    this.#low = below >>> 0
  }
}

/** The upper and the lower halves of 256 remainders. */
interface Table {
  readonly high: Uint32Array
  readonly low: Uint32Array
}

let castagnoliTable: Table | undefined
let nvmeTable: Table | undefined

/** Source: RFC 3720, appendix B.4, with the bits reversed. Only the lower half is in use. */
function castagnoli(): Table {
  return (castagnoliTable ??= makeTable(0n, 0x82f6_3b78n))
}

/** Source: NVM Express NVM Command Set Specification 1.0c, section 5.2.1.3.4, with the bits reversed. */
function nvme(): Table {
  return (nvmeTable ??= makeTable(0x9a6c_9329n, 0xac4b_c9b5n))
}

function makeTable(high: bigint, low: bigint): Table {
  const polynomial = (high << 32n) | low
  const table = { high: new Uint32Array(256), low: new Uint32Array(256) }
  for (let byte = 0; byte < 256; byte += 1) {
    let remainder = BigInt(byte)
    for (let bit = 0; bit < 8; bit += 1) remainder = (remainder & 1n) === 1n ? (remainder >> 1n) ^ polynomial : remainder >> 1n
    table.high[byte] = Number(remainder >> 32n)
    table.low[byte] = Number(remainder & 0xffff_ffffn)
  }
  return table
}
