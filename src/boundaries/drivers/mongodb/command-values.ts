import type * as bson from 'bson'
import { isInt32, toBinary, toDate, toDocument, toDouble } from './extended-json.ts'

/** The driver's options for writing values. Source: bson, SerializeOptions. */
export interface WriteOptions {
  /** Default: false, which writes null. */
  readonly ignoreUndefined?: boolean
}

/** A value of the package bson, recognised by the name of its type, which a minifier keeps. */
interface BsonValue {
  readonly _bsontype: string
}

/** A value for the driver to write, as extended JSON. Throws where the driver cannot write it either: at cycles. */
export function toExtendedJson(value: unknown, options: WriteOptions = {}): unknown {
  if (typeof value === 'number') return isInt32(value) ? value : toDouble(value)
  if (typeof value === 'bigint') return { $numberLong: String(value) }
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value !== 'object' || value === null) return null
  if (Array.isArray(value)) return value.map((item) => toExtendedJson(item, options))
  if (value instanceof Date) return toDate(BigInt(value.getTime() || 0))
  if (value instanceof RegExp) return { $regularExpression: { pattern: value.source, options: value.flags } }
  if (value instanceof Uint8Array) return toBinary(value, 0)
  if (value instanceof ArrayBuffer) return toBinary(new Uint8Array(value), 0)
  if (isBsonValue(value)) return writers[value._bsontype]?.(value as never, options) ?? null
  if ('toBSON' in value && typeof value.toBSON === 'function') return toExtendedJson(Reflect.apply(value.toBSON, value, []), options)
  // Documents that are sent next to a command. Source: mongodb, lib/cmap/commands.js, DocumentSequence.
  if ('toBin' in value && 'documents' in value) return toExtendedJson(value.documents, options)
  const fields: [string, unknown][] = value instanceof Map ? [...(value as Map<string, unknown>)] : Object.entries(value)
  const written = fields.filter(([, field]) => typeof field !== 'function' && !(field === undefined && options.ignoreUndefined === true))
  return toDocument(written.map(([name, field]) => [name, toExtendedJson(field, options)]))
}

function isBsonValue(value: object): value is BsonValue {
  return '_bsontype' in value && typeof value._bsontype === 'string'
}

/** Source: bson 6 and 7, src/*.ts. */
const writers: Readonly<Record<string, (value: never, options: WriteOptions) => unknown>> = {
  ObjectId: (value: bson.ObjectId) => ({ $oid: value.toHexString() }),
  Long: (value: bson.Long) => ({ $numberLong: value.toString() }),
  Int32: ({ value }: bson.Int32) => value,
  Double: ({ value }: bson.Double) => toDouble(value),
  Decimal128: (value: bson.Decimal128) => ({ $numberDecimal: value.toString() }),
  Binary: ({ buffer, position, sub_type }: bson.Binary) => toBinary(buffer.subarray(0, position), sub_type),
  Timestamp: ({ t, i }: bson.Timestamp) => ({ $timestamp: { t, i } }),
  BSONRegExp: ({ pattern, options }: bson.BSONRegExp) => ({ $regularExpression: { pattern, options } }),
  Code: ({ code, scope }: Pick<bson.Code, 'scope'> & { readonly code: unknown }, options) => ({
    $code: String(code),
    ...(scope === undefined || scope === null ? {} : { $scope: toExtendedJson(scope, options) }),
  }),
  BSONSymbol: ({ value }: bson.BSONSymbol) => ({ $symbol: value }),
  MinKey: () => ({ $minKey: 1 }),
  MaxKey: () => ({ $maxKey: 1 }),
  DBRef: ({ collection, oid, db, fields }: bson.DBRef, options) =>
    toExtendedJson({ $ref: collection, $id: oid, ...(db === undefined || db === '' ? {} : { $db: db }), ...fields }, options),
}
