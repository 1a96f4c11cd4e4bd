import { ByteReader } from '../wire-bytes.ts'
import { readDecimal } from './decimal128.ts'
import { toBinary, toDate, toDocument, toDouble } from './extended-json.ts'

/** Reads one BSON document as extended JSON. Source: bsonspec.org, version 1.1. */
export function readBson(bytes: Uint8Array): Record<string, unknown> {
  return new BsonReader(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)).document()
}

/** Reads BSON, value by value. */
export class BsonReader extends ByteReader {
  document(): Record<string, unknown> {
    return toDocument(this.#fields())
  }

  #fields(): [string, unknown][] {
    const end = this.offset + this.signed(4)
    const fields: [string, unknown][] = []
    for (let type = this.int(1); type !== 0; type = this.int(1)) fields.push([this.name(), this.#value(type)])
    if (this.offset !== end) throw new RangeError('The length of a BSON document does not match its content.')
    return fields
  }

  #value(type: number): unknown {
    const read = readers[type]
    if (read === undefined) throw new RangeError(`BSON has no type ${type}.`)
    return read(this)
  }

  /** The values of an array; the names of its fields are ignored. */
  array(): unknown[] {
    return this.#fields().map(([, value]) => value)
  }

  text(): string {
    const length = this.signed(4)
    return this.bytes(length).toString('utf8', 0, length - 1)
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
  0x08: (bson) => bson.int(1) === 1,
  0x09: (bson) => toDate(BigInt.asIntN(64, bson.long())),
  0x0a: () => null,
  0x0b: (bson) => ({ $regularExpression: { pattern: bson.name(), options: bson.name() } }),
  0x0c: (bson) => ({ $dbPointer: { $ref: bson.text(), $id: { $oid: bson.bytes(12).toString('hex') } } }),
  0x0d: (bson) => ({ $code: bson.text() }),
  0x0e: (bson) => ({ $symbol: bson.text() }),
  0x0f: (bson) => {
    bson.signed(4)
    return { $code: bson.text(), $scope: bson.document() }
  },
  0x10: (bson) => bson.signed(4),
  0x11: (bson) => {
    const i = bson.int(4)
    return { $timestamp: { t: bson.int(4), i } }
  },
  0x12: (bson) => ({ $numberLong: String(BigInt.asIntN(64, bson.long())) }),
  0x13: (bson) => ({ $numberDecimal: readDecimal(bson.bytes(16)) }),
  0x7f: () => ({ $maxKey: 1 }),
  0xff: () => ({ $minKey: 1 }),
}

function readBinary(bson: BsonReader): object {
  const length = bson.signed(4)
  const subType = bson.int(1)
  return toBinary(bson.bytes(length), subType)
}
