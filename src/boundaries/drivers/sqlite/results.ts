import type { StatementColumnMetadata } from 'node:sqlite'
import { isAnyArrayBuffer } from 'node:util/types'
import type { SqlField } from '../../../models/read-sql.ts'
import type { Dialect } from './sqlite-dialect.ts'
import type { Form } from './statement-modes.ts'

/** A column as a step keeps it, without unknown fields and without fields that follow from the others. */
export interface SqliteField extends SqlField {
  readonly type?: string
  readonly table?: string
  /** Its name in the table, if different. */
  readonly column?: string
  /** Its database, if not `main`. */
  readonly database?: string
}

/** The result of a method, as a step keeps it, including the other fields that `run` returns, such as `lastInsertRowid`. */
export interface SqliteOutput {
  readonly fields?: readonly SqliteField[]
  /** The keys of the rows, if they differ from the names of the columns. */
  readonly keys?: readonly string[]
  readonly rows?: readonly (readonly unknown[])[]
  /** The form of the rows, if not objects. */
  readonly form?: Form
  readonly changed?: unknown
}

/** The form in which a step keeps rows. @param columns The driver's description; undefined if there is none. */
export function keepRows(rows: readonly unknown[], columns: readonly unknown[] | undefined): SqliteOutput {
  const fields = columns?.map((column) => toField(column as StatementColumnMetadata))
  const [first] = rows
  const form = formOfRow(first)
  const base = { ...(fields !== undefined && { fields }), ...(form !== 'object' && { form }) }
  if (form === 'raw') return { ...base, rows: rows as readonly unknown[][] }
  if (form === 'pluck') return { ...base, rows: rows.map((value) => [value]) }
  const keys = first === undefined ? undefined : Object.keys(first as object)
  if (keys === undefined) return { ...base, rows: [] }
  const isNamed = fields?.length === keys.length && fields.every(({ name }, index) => name === keys[index])
  const named = isNamed ? {} : fields === undefined ? { fields: keys.map((name) => ({ name })) } : { keys }
  return { ...base, ...named, rows: rows.map((row) => keys.map((key): unknown => Reflect.get(row as object, key))) }
}

/** The form in which a step keeps the result of `run`. */
export function keepChanges(given: unknown): unknown {
  if (typeof given !== 'object' || given === null) return given
  return Object.fromEntries(Object.entries(given).map(([key, value]) => [key === 'changes' ? 'changed' : key, value as unknown]))
}

/** Revives the result of `run`. */
export function reviveChanges(output: unknown): unknown {
  if (typeof output !== 'object' || output === null) return output
  return Object.fromEntries(Object.entries(output).map(([key, value]) => [key === 'changed' ? 'changes' : key, value as unknown]))
}

/** A step's rows as a method returns them; undefined if they cannot be converted. @param form Default: as recorded. */
export function reviveRows(dialect: Dialect, output: SqliteOutput, form: Form | undefined): unknown[] | undefined {
  const { rows = [], fields = [], keys, form: recorded = 'object' } = output
  const wanted = form ?? recorded
  if (rows.length === 0) return []
  if (wanted !== recorded && (recorded === 'pluck' || recorded === 'expand' || wanted === 'expand')) return undefined
  const names = recorded === 'raw' ? fields.map(({ name }) => name) : (keys ?? fields.map(({ name }) => name))
  return rows.map((row) => {
    const values = row.map(withOwnBytes)
    if (wanted === 'raw') return values
    return wanted === 'pluck' ? values[0] : toObject(dialect, names, values)
  })
}

/** The columns as the driver describes them. */
export function reviveColumns(dialect: Dialect, fields: readonly SqliteField[]): object[] {
  return fields.map(({ name, type = null, table = null, column = table === null ? null : name, database = table && 'main' }) => {
    if (dialect.label !== 'sqlite') return { name, column, table, database, type }
    return Object.assign(Object.create(dialect.rowPrototype()) as object, { column, database, name, table, type })
  })
}

function toField({ name, column, table, database, type }: StatementColumnMetadata): SqliteField {
  return {
    name,
    ...(type === null ? {} : { type }),
    ...(table === null ? {} : { table }),
    ...(column === null || column === name ? {} : { column }),
    ...(database === null || database === 'main' ? {} : { database }),
  }
}

function formOfRow(row: unknown): Form {
  if (row === undefined) return 'object'
  if (Array.isArray(row)) return 'raw'
  if (!isFields(row)) return 'pluck'
  const values = Object.values(row)
  // No SQLite value is an object.
  return values.length > 0 && values.every(isFields) ? 'expand' : 'object'
}

function isFields(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !ArrayBuffer.isView(value) && !isAnyArrayBuffer(value)
}

function toObject(dialect: Dialect, names: readonly string[], values: readonly unknown[]): object {
  const row = Object.create(dialect.rowPrototype()) as object
  for (const [index, name] of names.entries())
    Object.defineProperty(row, name, { value: values[index], configurable: true, enumerable: true, writable: true })
  return row
}

/** Bytes with a buffer of their own: @libsql/client takes the whole buffer. */
function withOwnBytes(value: unknown): unknown {
  if (!Buffer.isBuffer(value) || value.buffer.byteLength === value.byteLength) return value
  return Buffer.from(new Uint8Array(value).buffer)
}
