import type { SqlField, SqlResult } from '../../../models/read-sql.ts'

/** A column of PostgreSQL, with the data that a driver needs to read its values. Source: PostgreSQL, Message Formats, RowDescription. */
export interface PgField extends SqlField {
  /** The number of the type. */
  readonly type: number
  readonly table?: number
  readonly column?: number
  readonly size?: number
  readonly modifier?: number
  readonly binary?: true
}

/** PostgreSQL's answer to one statement. */
export interface PgResult extends SqlResult {
  readonly fields?: readonly PgField[]
  /** Values in PostgreSQL's own text form, or bytes. */
  readonly rows?: readonly (readonly (string | Uint8Array | null)[])[]
  /** The command tag: `SELECT 1`, `INSERT 0 1`. Missing for an empty statement. */
  readonly command?: string
  /** There are more rows than were requested. */
  readonly suspended?: true
}

/** The messages of a server. Source: PostgreSQL 18, "Message Formats" (protocol 3.0). */
export const pgMessages = {
  authenticated: (): Buffer => message('R', int32(0)),
  parameter: (name: string, value: string): Buffer => message('S', text(name), text(value)),
  keyData: (): Buffer => message('K', int32(1), int32(1)),
  ready: (status: 'I' | 'T' | 'E' = 'I'): Buffer => message('Z', Buffer.from(status)),
  parsed: (): Buffer => message('1'),
  bound: (): Buffer => message('2'),
  closed: (): Buffer => message('3'),
  noData: (): Buffer => message('n'),
  suspended: (): Buffer => message('s'),
  empty: (): Buffer => message('I'),
  noParameters: (): Buffer => message('t', int16(0)),
  complete: (command: string): Buffer => message('C', text(command)),
  fields: (fields: readonly PgField[]): Buffer => message('T', int16(fields.length), ...fields.map(encodeField)),
  row: (values: readonly (string | Uint8Array | null)[]): Buffer => message('D', int16(values.length), ...values.map(encodeValue)),
  error: (error: Error): Buffer => message('E', ...encodeError(error), Buffer.alloc(1)),
} as const

/** PostgreSQL's number of the type `bytea`. */
const byteaType = 17

/** A value as a step keeps it: bytes stay bytes, in which redaction finds text that it would not find in hex digits. */
export function toKept(value: string | null, column: PgField | undefined): string | Uint8Array | null {
  const isHex = column?.type === byteaType && column.binary !== true && typeof value === 'string' && value.startsWith('\\x')
  return isHex ? Buffer.from(value.slice(2), 'hex') : value
}

function toSent(value: string | Uint8Array | null, column: PgField | undefined): string | Uint8Array | null {
  if (!(value instanceof Uint8Array) || column?.type !== byteaType || column.binary === true) return value
  return `\\x${Buffer.from(value).toString('hex')}`
}

/**
 * The messages of an answer, without those of a prepared statement.
 *
 * @param columns The columns of the rows, if an earlier answer contained their description.
 */
export function resultMessages(
  { fields, rows = [], command, suspended }: PgResult,
  hasDescribed: boolean,
  columns: readonly PgField[] = fields ?? [],
): Buffer[] {
  return [
    ...(fields === undefined || hasDescribed ? [] : [pgMessages.fields(fields)]),
    ...rows.map((row) => pgMessages.row(row.map((value, at) => toSent(value, columns[at])))),
    suspended === true ? pgMessages.suspended() : command === undefined ? pgMessages.empty() : pgMessages.complete(command),
  ]
}

/**
 * The length of the client message at the start of some bytes; undefined if there are too few bytes to tell.
 *
 * @param start The offset of its length: after the type letter, which the first message of a connection does not have.
 */
export function lengthOfMessage(bytes: Buffer, start: 0 | 1): number | undefined {
  return bytes.length < start + 4 ? undefined : start + bytes.readUInt32BE(start)
}

/** The codes of a connection's first message: version 3.0, and a request for TLS. */
export const startup = 196_608
export const requestsTls = 80_877_103

/** The fields of an error that drivers know, by their letters in a message. Source: PostgreSQL, "Error and Notice Message Fields". */
const errorFields = {
  severity: 'SV',
  code: 'C',
  message: 'M',
  detail: 'D',
  hint: 'H',
  position: 'P',
  internalPosition: 'p',
  internalQuery: 'q',
  where: 'W',
  schema: 's',
  table: 't',
  column: 'c',
  dataType: 'd',
  constraint: 'n',
  file: 'F',
  line: 'L',
  routine: 'R',
} as const

function encodeError(error: Error): Buffer[] {
  return Object.entries(errorFields).flatMap(([name, letters]) => {
    const value: unknown = Reflect.get(error, name)
    return typeof value === 'string' ? letters.split('').flatMap((letter) => [Buffer.from(letter), text(value)]) : []
  })
}

function encodeField({ name, type, table = 0, column = 0, size = -1, modifier = -1, binary }: PgField): Buffer {
  return Buffer.concat([text(name), int32(table), int16(column), int32(type), int16(size), int32(modifier), int16(binary === true ? 1 : 0)])
}

function encodeValue(value: string | Uint8Array | null): Buffer {
  if (value === null) return int32(-1)
  const bytes = typeof value === 'string' ? Buffer.from(value) : value
  return Buffer.concat([int32(bytes.length), bytes])
}

function message(type: string, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body])
}

function text(value: string): Buffer {
  return Buffer.from(`${value}\0`)
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes
}
