/** Source: bson, src/binary.ts. A UUID has the sub-type 4 and is text. */
interface Binary {
  readonly _bsontype: unknown
  readonly sub_type: number
  readonly buffer: Uint8Array
  readonly position: number
}

/**
 * Returns a database driver's result without the driver's internals: its parsers, and the bytes of the whole packet that contained the result.
 * MongoDB's `Binary` becomes bytes, which redaction searches, instead of Base64, which it does not. Returns undefined for other values.
 */
export function driverValueOf(value: object): object | undefined {
  // Source: pg, lib/result.js.
  if ('_parsers' in value && 'RowCtor' in value) return pick(value, ['command', 'rowCount', 'oid', 'rows', 'fields'])
  // Source: mysql2, lib/packets/column_definition.js.
  if ('_buf' in value && '_catalogStart' in value)
    return pick(
      value,
      Object.keys(value).filter((key) => !key.startsWith('_')),
    )
  if (isBinary(value)) return new Uint8Array(value.buffer.subarray(0, value.position))
  return undefined
}

function isBinary(value: object): value is Binary {
  const { _bsontype: type, buffer, sub_type: kind } = value as Partial<Binary>
  return type === 'Binary' && kind !== 4 && ArrayBuffer.isView(buffer)
}

function pick(value: object, keys: readonly string[]): object {
  return Object.fromEntries(keys.map((key) => [key, Reflect.get(value, key) as unknown]))
}
