import { readDecimal } from './decimal128.ts'
import { toBinary, toDate, toDocument, toDouble } from './extended-json.ts'

/** Reads one document of BSON as extended JSON. Source: bsonspec.org, version 1.1. */
export function readBson(bytes: Uint8Array): Record<string, unknown> {
  return new BsonReader(bytes).document()
}

/** Reads BSON, value by value. */
export class BsonReader {
  #position = 0
  readonly #bytes: Buffer

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** How many bytes are left. */
  get left(): number {
    return this.#bytes.length - this.#position
  }

  document(): Record<string, unknown> {
    return toDocument(this.#fields())
  }

  byte(): number {
    return this.#bytes.readUInt8(this.#advance(1))
  }

  int32(): number {
    return this.#bytes.readInt32LE(this.#advance(4))
  }

  /** A text that ends with a zero byte. */
  name(): string {
    const end = this.#bytes.indexOf(0, this.#position)
    if (end < 0) throw new RangeError('The BSON ends within a name.')
    const text = this.#bytes.toString('utf8', this.#position, end)
    this.#position = end + 1
    return text
  }

  #fields(): [string, unknown][] {
    const end = this.#position + this.int32()
    const fields: [string, unknown][] = []
    for (let type = this.byte(); type !== 0; type = this.byte()) fields.push([this.name(), this.#value(type)])
    if (this.#position !== end) throw new RangeError('The BSON of a document does not have its length.')
    return fields
  }

  #value(type: number): unknown {
    const read = readers[type]
    if (read === undefined) throw new RangeError(`BSON does not have a type ${type}.`)
    return read(this)
  }

  /** The values of an array; what its fields are called does not matter. */
  array(): unknown[] {
    return this.#fields().map(([, value]) => value)
  }

  text(): string {
    const length = this.int32()
    const start = this.#advance(length)
    return this.#bytes.toString('utf8', start, start + length - 1)
  }

  double(): number {
    return this.#bytes.readDoubleLE(this.#advance(8))
  }

  int64(): bigint {
    return this.#bytes.readBigInt64LE(this.#advance(8))
  }

  uint32(): number {
    return this.#bytes.readUInt32LE(this.#advance(4))
  }

  bytes(length: number): Buffer {
    const start = this.#advance(length)
    return this.#bytes.subarray(start, start + length)
  }

  #advance(length: number): number {
    const start = this.#position
    if (length < 0 || start + length > this.#bytes.length) throw new RangeError('The BSON ends within a value.')
    this.#position += length
    return start
  }
}

const readers: Readonly<Record<number, (bson: BsonReader) => unknown>> = {
  0x01: (bson) => toDouble(bson.double()),
  0x02: (bson) => bson.text(),
  0x03: (bson) => bson.document(),
  0x04: (bson) => bson.array(),
  0x05: readBinary,
  0x06: () => ({ $undefined: true }),
  0x07: (bson) => ({ $oid: bson.bytes(12).toString('hex') }),
  0x08: (bson) => bson.byte() === 1,
  0x09: (bson) => toDate(bson.int64()),
  0x0a: () => null,
  0x0b: (bson) => ({ $regularExpression: { pattern: bson.name(), options: bson.name() } }),
  0x0c: (bson) => ({ $dbPointer: { $ref: bson.text(), $id: { $oid: bson.bytes(12).toString('hex') } } }),
  0x0d: (bson) => ({ $code: bson.text() }),
  0x0e: (bson) => ({ $symbol: bson.text() }),
  0x0f: (bson) => {
    bson.int32()
    return { $code: bson.text(), $scope: bson.document() }
  },
  0x10: (bson) => bson.int32(),
  0x11: (bson) => {
    const i = bson.uint32()
    return { $timestamp: { t: bson.uint32(), i } }
  },
  0x12: (bson) => ({ $numberLong: String(bson.int64()) }),
  0x13: (bson) => ({ $numberDecimal: readDecimal(bson.bytes(16)) }),
  0x7f: () => ({ $maxKey: 1 }),
  0xff: () => ({ $minKey: 1 }),
}

function readBinary(bson: BsonReader): object {
  const length = bson.int32()
  const subType = bson.byte()
  return toBinary(bson.bytes(length), subType)
}
