import type { MysqlValue } from './mysql-result.ts'

/** Reads the basic types of the protocol. Source: MySQL, "Basic Data Types". */
export class MysqlReader {
  readonly #bytes: Buffer
  offset = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.offset >= this.#bytes.length
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

  /** An integer whose first byte tells its length; null for NULL. */
  lengthCoded(): bigint | null {
    const first = this.int(1)
    if (first < 0xfb) return BigInt(first)
    if (first === 0xfb) return null
    return first === 0xfe ? this.long() : BigInt(this.int(first === 0xfc ? 2 : 3))
  }

  bytes(length: number): Buffer {
    const start = this.#skip(length)
    return this.#bytes.subarray(start, start + length)
  }

  /** Bytes with their length before them. */
  value(): MysqlValue {
    const length = this.lengthCoded()
    return length === null ? null : toTextIfPossible(this.bytes(Number(length)))
  }

  text(): string {
    return this.bytes(Number(this.lengthCoded() ?? 0)).toString()
  }

  rest(): Buffer {
    return this.bytes(this.#bytes.length - this.offset)
  }

  #skip(size: number): number {
    const start = this.offset
    if (start + size > this.#bytes.length) throw new RangeError('The packet ends early.')
    this.offset += size
    return start
  }
}

/** Writes the basic types of the protocol. */
export const mysqlBytes = {
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
  lengthCoded: (value: number | bigint): Buffer => lengthCoded(value),
  value: (value: MysqlValue): Buffer => {
    if (value === null) return Buffer.of(0xfb)
    const bytes = typeof value === 'string' ? Buffer.from(value) : value
    return Buffer.concat([lengthCoded(bytes.length), bytes])
  },
} as const

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Bytes that are UTF-8 are text, whatever their column says: they can be read, compared and redacted, and are the same bytes again. */
function toTextIfPossible(bytes: Buffer): string | Uint8Array {
  try {
    return utf8.decode(bytes)
  } catch {
    // A copy, since the socket's bytes are many more.
    return Uint8Array.from(bytes)
  }
}

function lengthCoded(value: number | bigint): Buffer {
  if (value < 0xfb) return Buffer.of(Number(value))
  if (value <= 0xffff) return Buffer.concat([Buffer.of(0xfc), mysqlBytes.int(Number(value), 2)])
  if (value <= 0xff_ffff) return Buffer.concat([Buffer.of(0xfd), mysqlBytes.int(Number(value), 3)])
  return Buffer.concat([Buffer.of(0xfe), mysqlBytes.long(BigInt(value))])
}
