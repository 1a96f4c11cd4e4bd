/** Reads bytes from first to last, and numbers in little-endian order. Throws a `RangeError` if the bytes end early. */
export class ByteReader {
  readonly #bytes: Buffer
  offset = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /** The number of bytes left. */
  get left(): number {
    return this.#bytes.length - this.offset
  }

  /** An integer of up to six bytes. */
  int(size: number): number {
    return this.#bytes.readUIntLE(this.#skip(size), size)
  }

  signed(size: number): number {
    return this.#bytes.readIntLE(this.#skip(size), size)
  }

  long(): bigint {
    return this.#bytes.readBigUInt64LE(this.#skip(8))
  }

  float(): number {
    return this.#bytes.readFloatLE(this.#skip(4))
  }

  double(): number {
    return this.#bytes.readDoubleLE(this.#skip(8))
  }

  bytes(length: number): Buffer {
    const start = this.#skip(length)
    return this.#bytes.subarray(start, start + length)
  }

  /** A string that ends with a zero byte. */
  name(): string {
    const end = this.#bytes.indexOf(0, this.offset)
    const text = this.bytes(end - this.offset).toString()
    this.offset += 1
    return text
  }

  #skip(size: number): number {
    const start = this.offset
    if (size < 0 || start + size > this.#bytes.length) throw new RangeError('The bytes end early.')
    this.offset += size
    return start
  }
}

/** Writes numbers in little-endian order. */
export const littleEndian = {
  /** An unsigned integer of up to six bytes. */
  int: (value: number, size: number): Buffer => {
    const bytes = Buffer.alloc(size)
    bytes.writeUIntLE(value, 0, size)
    return bytes
  },
  long: (value: bigint): Buffer => {
    const bytes = Buffer.alloc(8)
    bytes.writeBigUInt64LE(BigInt.asUintN(64, value))
    return bytes
  },
  float: (value: number): Buffer => {
    const bytes = Buffer.alloc(4)
    bytes.writeFloatLE(value)
    return bytes
  },
  double: (value: number): Buffer => {
    const bytes = Buffer.alloc(8)
    bytes.writeDoubleLE(value)
    return bytes
  },
} as const

/** Reassembles messages that arrive in pieces. */
export class Pieces {
  #rest: Buffer = Buffer.alloc(0);

  /**
   * Takes a piece, and yields the messages that it completes.
   *
   * @param lengthOf The length of the message at the start of some bytes; undefined if there are too few bytes.
   */
  *take(piece: Uint8Array, lengthOf: (bytes: Buffer) => number | undefined): Generator<Buffer> {
    this.#rest = Buffer.concat([this.#rest, piece])
    for (;;) {
      const length = lengthOf(this.#rest)
      if (length === undefined || length > this.#rest.length) return
      const message = this.#rest.subarray(0, length)
      this.#rest = this.#rest.subarray(length)
      yield message
    }
  }
}
