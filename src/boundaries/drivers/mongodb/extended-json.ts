/**
 * BSON as readable data. Relaxed extended JSON (MongoDB Extended JSON v2) with these differences, so that the same BSON can be made from it:
 *
 * - a plain integer is an `int32`; an `int64` is `{ $numberLong }`, a `double` without a fraction `{ $numberDouble: "1.0" }`;
 * - `{ $binary }` has the bytes themselves, in which redaction finds texts;
 * - a document that would be read differently (a field named like a type of extended JSON, fields that JavaScript reorders) is
 *   `{ $document: [[name, value], …] }`.
 */
const typeNames: ReadonlySet<string> = new Set([
  '$binary',
  '$code',
  '$date',
  '$dbPointer',
  '$document',
  '$maxKey',
  '$minKey',
  '$numberDecimal',
  '$numberDouble',
  '$numberLong',
  '$oid',
  '$regularExpression',
  '$symbol',
  '$timestamp',
  '$undefined',
  '$uuid',
])

/** The type that an object represents; undefined for a document. */
export function typeOf(value: object): string | undefined {
  const [first] = Object.keys(value)
  return first !== undefined && typeNames.has(first) ? first : undefined
}

/** A document with these fields, in BSON order. */
export function toDocument(fields: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  const isPlain = fields.every(([name], index) => !isIndex(name) && name !== '__proto__' && !(index === 0 && typeNames.has(name)))
  if (!isPlain) return { $document: fields }
  const document = Object.fromEntries(fields)
  return Object.keys(document).length === fields.length ? document : { $document: fields }
}

/** The fields of a document. */
export function fieldsOf(document: object): readonly (readonly [string, unknown])[] {
  const fields: unknown = typeOf(document) === '$document' ? Reflect.get(document, '$document') : undefined
  return Array.isArray(fields) ? (fields as [string, unknown][]) : Object.entries(document)
}

/** A double. A number with a fraction is kept; any other would be read as an integer. */
export function toDouble(value: number): unknown {
  if (!Number.isInteger(value)) return Number.isFinite(value) ? value : { $numberDouble: String(value) }
  return { $numberDouble: Object.is(value, -0) ? '-0.0' : Number.isSafeInteger(value) ? `${value}.0` : String(value) }
}

/** Whether a number is a 32-bit integer. */
export function isInt32(value: number): boolean {
  return Math.trunc(value) === value && value >= -(2 ** 31) && value < 2 ** 31 && !Object.is(value, -0)
}

/** The years that ISO 8601 writes with four digits. */
const [firstIso, lastIso] = [-62_167_219_200_000n, 253_402_300_799_999n]

/** A date. @param milliseconds Since the epoch. */
export function toDate(milliseconds: bigint): object {
  const isIso = milliseconds >= firstIso && milliseconds <= lastIso
  return { $date: isIso ? new Date(Number(milliseconds)).toISOString() : { $numberLong: String(milliseconds) } }
}

/** Bytes. */
export function toBinary(bytes: Uint8Array, subType: number): object {
  if (subType !== 4 || bytes.length !== 16) return { $binary: new Uint8Array(bytes), ...(subType === 0 ? {} : { subType }) }
  return {
    $uuid: Buffer.from(bytes)
      .toString('hex')
      .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
  }
}

/** Whether JavaScript puts a field before all others. */
function isIndex(name: string): boolean {
  return /^(?:0|[1-9]\d*)$/.test(name)
}
