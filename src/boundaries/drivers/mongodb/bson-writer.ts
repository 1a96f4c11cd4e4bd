import { littleEndian } from '../wire-bytes.ts'
import { writeDecimal } from './decimal128.ts'
import { fieldsOf, isInt32, typeOf } from './extended-json.ts'

/**
 * Writes extended JSON as BSON. Never throws: a value that redaction left in a form that its type cannot have is written as a string. Source:
 * bsonspec.org, version 1.1.
 */
export function writeBson(document: object): Buffer {
  return writeFields(fieldsOf(document))
}

type Element = readonly [type: number, value: Uint8Array]

function writeFields(fields: readonly (readonly [string, unknown])[]): Buffer {
  const parts: Uint8Array[] = []
  for (const [name, value] of fields) {
    const [type, bytes] = toElement(value)
    parts.push(Buffer.of(type), Buffer.from(`${name}\0`), bytes)
  }
  const length = parts.reduce((sum, part) => sum + part.length, 5)
  return Buffer.concat([int32(length), ...parts, Buffer.of(0)], length)
}

function toElement(value: unknown): Element {
  if (typeof value === 'string') return [0x02, text(value)]
  if (typeof value === 'number') return isInt32(value) ? [0x10, int32(value)] : [0x01, littleEndian.double(value)]
  if (typeof value === 'boolean') return [0x08, Buffer.of(value ? 1 : 0)]
  if (typeof value === 'bigint') return [0x12, littleEndian.long(value)]
  if (value === null || value === undefined) return [0x0a, nothing]
  if (Array.isArray(value)) return [0x04, writeFields(value.map((item, index) => [String(index), item]))]
  if (value instanceof Date) return [0x09, littleEndian.long(BigInt(value.getTime() || 0))]
  if (value instanceof Uint8Array) return binary(value, 0)
  if (typeof value !== 'object') return [0x0a, nothing]
  const type = typeOf(value)
  if (type === undefined || type === '$document') return [0x03, writeFields(fieldsOf(value))]
  const written: unknown = Reflect.get(value, type)
  return writers[type]?.(written, value) ?? [0x02, text(typeof written === 'string' ? written : JSON.stringify(written))]
}

/** Each returns undefined for a value that its type cannot have. */
const writers: Readonly<Record<string, (written: unknown, value: object) => Element | undefined>> = {
  $binary: (bytes, value) => (bytes instanceof Uint8Array ? binary(bytes, Number(Reflect.get(value, 'subType') ?? 0)) : undefined),
  $code: (code, value) => {
    const scope: unknown = Reflect.get(value, '$scope')
    if (typeof scope !== 'object' || scope === null) return [0x0d, text(String(code))]
    const [body, scoped] = [text(String(code)), writeBson(scope)]
    return [0x0f, Buffer.concat([int32(body.length + scoped.length + 4), body, scoped])]
  },
  $date: (date) => {
    const milliseconds = typeof date === 'string' ? Date.parse(date) : Number.NaN
    if (!Number.isNaN(milliseconds)) return [0x09, littleEndian.long(BigInt(milliseconds))]
    const long = longOf(typeof date === 'object' && date !== null ? Reflect.get(date, '$numberLong') : undefined)
    return long === undefined ? undefined : [0x09, long]
  },
  $dbPointer: (pointer) => {
    const { $ref, $id } = pointer as { readonly $ref?: unknown; readonly $id?: { readonly $oid?: unknown } }
    const id = objectId($id?.$oid)
    return id === undefined ? undefined : [0x0c, Buffer.concat([text(String($ref)), id])]
  },
  $maxKey: () => [0x7f, nothing],
  $minKey: () => [0xff, nothing],
  $numberDecimal: (decimal) => {
    const bytes = typeof decimal === 'string' ? writeDecimal(decimal) : undefined
    return bytes && [0x13, bytes]
  },
  $numberDouble: (number) => {
    const value = typeof number === 'string' ? Number(number) : undefined
    return value === undefined || (Number.isNaN(value) && number !== 'NaN') ? undefined : [0x01, littleEndian.double(value)]
  },
  $numberLong: (number) => {
    const long = longOf(number)
    return long && [0x12, long]
  },
  $oid: (id) => {
    const bytes = objectId(id)
    return bytes && [0x07, bytes]
  },
  $regularExpression: (expression) => {
    const { pattern, options } = expression as { readonly pattern?: unknown; readonly options?: unknown }
    return [0x0b, Buffer.from(`${String(pattern)}\0${String(options)}\0`)]
  },
  $symbol: (symbol) => [0x0e, text(String(symbol))],
  $timestamp: (timestamp) => {
    const { t, i } = timestamp as { readonly t?: unknown; readonly i?: unknown }
    return [0x11, Buffer.concat([int32(Number(i)), int32(Number(t))])]
  },
  $undefined: () => [0x06, nothing],
  $uuid: (uuid) => {
    const bytes = Buffer.from(String(uuid).replaceAll('-', ''), 'hex')
    return bytes.length === 16 ? binary(bytes, 4) : undefined
  },
}

const nothing = Buffer.alloc(0)

function binary(bytes: Uint8Array, subType: number): Element {
  return [0x05, Buffer.concat([int32(bytes.length), Buffer.of(subType), bytes])]
}

function objectId(id: unknown): Buffer | undefined {
  return typeof id === 'string' && /^[0-9a-f]{24}$/i.test(id) ? Buffer.from(id, 'hex') : undefined
}

function longOf(number: unknown): Buffer | undefined {
  return typeof number === 'string' && /^-?\d+$/.test(number) ? littleEndian.long(BigInt.asIntN(64, BigInt(number))) : undefined
}

function text(value: string): Buffer {
  const bytes = Buffer.from(`${value}\0`)
  return Buffer.concat([int32(bytes.length), bytes])
}

function int32(value: number): Buffer {
  return littleEndian.int(value >>> 0, 4)
}
