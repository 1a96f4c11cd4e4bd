import { littleEndian } from '../wire-bytes.ts'
import { type MysqlReader, writeValue } from './mysql-bytes.ts'
import type { MysqlField, MysqlValue } from './mysql-result.ts'

/** How values of a type are read and written. */
interface BinaryType {
  read(reader: MysqlReader, isUnsigned: boolean): MysqlValue
  write(text: string): Buffer
}

/** Reads a value of a prepared statement as the text that it has in the text protocol. */
export function readBinaryValue(reader: MysqlReader, { type, flags = 0 }: MysqlField): MysqlValue {
  const known = types[type]
  return known === undefined ? reader.value() : known.read(reader, (flags & unsigned) !== 0)
}

/** Writes a value that `readBinaryValue` read, with the same bytes. */
export function writeBinaryValue(value: string | Uint8Array, { type }: MysqlField): Buffer {
  const known = types[type]
  return known === undefined ? writeValue(value) : known.write(typeof value === 'string' ? value : '')
}

/** The flag of an unsigned column. */
const unsigned = 32

const long: BinaryType = {
  read: (reader, isUnsigned) => String(isUnsigned ? reader.long() : BigInt.asIntN(64, reader.long())),
  write: (text) => littleEndian.long(toInteger(text)),
}
const moment: BinaryType = { read: readDate, write: writeDate }

/** Types whose values are not length-prefixed bytes, by number. Source: MySQL, "Binary Protocol Value". */
const types: Readonly<Record<number, BinaryType>> = {
  // TINY, SHORT, LONG.
  1: integer(1),
  2: integer(2),
  3: integer(4),
  // FLOAT, DOUBLE, NULL.
  4: { read: (reader) => String(reader.float()), write: (text) => littleEndian.float(Number(text)) },
  5: { read: (reader) => String(reader.double()), write: (text) => littleEndian.double(Number(text)) },
  6: { read: () => null, write: () => Buffer.alloc(0) },
  // TIMESTAMP, LONGLONG, INT24.
  7: moment,
  8: long,
  9: integer(4),
  // DATE, TIME, DATETIME, YEAR, NEWDATE.
  10: moment,
  11: { read: readTime, write: writeTime },
  12: moment,
  13: { read: (reader) => String(reader.int(2)), write: integer(2).write },
  14: moment,
}

function integer(size: number): BinaryType {
  return {
    read: (reader, isUnsigned) => String(isUnsigned ? reader.int(size) : reader.signed(size)),
    write: (text) => littleEndian.int(Number(BigInt.asUintN(size * 8, toInteger(text))), size),
  }
}

function toInteger(text: string): bigint {
  return /^-?\d+$/.test(text) ? BigInt(text) : 0n
}

/** `2026-01-31`, `2026-01-31 08:00:00` or `2026-01-31 08:00:00.000001`, depending on the parts present; the empty string for a zero date. */
function readDate(reader: MysqlReader): string {
  const length = reader.int(1)
  if (length === 0) return ''
  const date = `${digits(reader.int(2), 4)}-${digits(reader.int(1))}-${digits(reader.int(1))}`
  if (length < 7) return date
  const time = `${date} ${digits(reader.int(1))}:${digits(reader.int(1))}:${digits(reader.int(1))}`
  return length < 11 ? time : `${time}.${digits(reader.int(4), 6)}`
}

function writeDate(text: string): Buffer {
  const [year, ...parts] = (text.match(/\d+/g) ?? []).map(Number)
  if (year === undefined) return Buffer.of(0)
  const [month = 0, day = 0, ...time] = parts
  const date = [littleEndian.int(year, 2), Buffer.of(month, day)]
  if (time.length === 0) return Buffer.concat([Buffer.of(4), ...date])
  const [hours = 0, minutes = 0, seconds = 0, micros] = time
  const clock = [...date, Buffer.of(hours, minutes, seconds)]
  return micros === undefined
    ? Buffer.concat([Buffer.of(7), ...clock])
    : Buffer.concat([Buffer.of(11), ...clock, littleEndian.int(micros, 4)])
}

/** `-838:59:59.000001`; the empty string for a missing time. */
function readTime(reader: MysqlReader): string {
  const length = reader.int(1)
  if (length === 0) return ''
  const sign = reader.int(1) === 1 ? '-' : ''
  const days = reader.int(4)
  const time = `${sign}${digits(days * 24 + reader.int(1))}:${digits(reader.int(1))}:${digits(reader.int(1))}`
  return length < 12 ? time : `${time}.${digits(reader.int(4), 6)}`
}

function writeTime(text: string): Buffer {
  const [hours, minutes = 0, seconds = 0, micros] = (text.match(/\d+/g) ?? []).map(Number)
  if (hours === undefined) return Buffer.of(0)
  const time = [
    Buffer.of(text.startsWith('-') ? 1 : 0),
    littleEndian.int(Math.floor(hours / 24), 4),
    Buffer.of(hours % 24, minutes, seconds),
  ]
  return micros === undefined
    ? Buffer.concat([Buffer.of(8), ...time])
    : Buffer.concat([Buffer.of(12), ...time, littleEndian.int(micros, 4)])
}

function digits(value: number, length = 2): string {
  return String(value).padStart(length, '0')
}
