import { mysqlBytes, type MysqlReader } from './mysql-bytes.ts'
import type { MysqlField, MysqlValue } from './mysql-result.ts'

/** Numbers of types whose values are not bytes with a length. Source: MySQL, "Binary Protocol Value". */
const types = {
  tiny: 1,
  short: 2,
  long: 3,
  float: 4,
  double: 5,
  null: 6,
  timestamp: 7,
  longlong: 8,
  int24: 9,
  date: 10,
  time: 11,
  datetime: 12,
  year: 13,
  newDate: 14,
}

/** Reads a value of a prepared statement, into the text that it has in the protocol without. */
export function readBinaryValue(reader: MysqlReader, { type, flags = 0 }: MysqlField): MysqlValue {
  const isUnsigned = (flags & unsigned) !== 0
  const size = integerSizes[type]
  if (size !== undefined) return String(isUnsigned || type === types.year ? reader.int(size) : reader.signed(size))
  switch (type) {
    case types.longlong:
      return String(isUnsigned ? reader.long() : BigInt.asIntN(64, reader.long()))
    case types.float:
      return String(reader.float())
    case types.double:
      return String(reader.double())
    case types.null:
      return null
    case types.date:
    case types.datetime:
    case types.timestamp:
    case types.newDate:
      return readDate(reader)
    case types.time:
      return readTime(reader)
    default:
      return reader.value()
  }
}

/** Writes what `readBinaryValue` read, byte by byte the same. */
export function writeBinaryValue(value: string | Uint8Array, { type }: MysqlField): Buffer {
  const text = typeof value === 'string' ? value : ''
  const size = integerSizes[type]
  if (size !== undefined) return mysqlBytes.int(Number(BigInt.asUintN(size * 8, toInteger(text))), size)
  switch (type) {
    case types.longlong:
      return mysqlBytes.long(toInteger(text))
    case types.float:
      return mysqlBytes.float(Number(text))
    case types.double:
      return mysqlBytes.double(Number(text))
    case types.null:
      return Buffer.alloc(0)
    case types.date:
    case types.datetime:
    case types.timestamp:
    case types.newDate:
      return writeDate(text)
    case types.time:
      return writeTime(text)
    default:
      return mysqlBytes.value(value)
  }
}

/** The flag of a column that has no negative values. */
const unsigned = 32

const integerSizes: Readonly<Record<number, number>> = {
  [types.tiny]: 1,
  [types.short]: 2,
  [types.year]: 2,
  [types.long]: 4,
  [types.int24]: 4,
}

function toInteger(text: string): bigint {
  return /^-?\d+$/.test(text) ? BigInt(text) : 0n
}

/** `2026-01-31`, `2026-01-31 08:00:00` or `2026-01-31 08:00:00.000001`, by what there is of it; the empty text for a zero date. */
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
  const date = [mysqlBytes.int(year, 2), Buffer.of(month, day)]
  if (time.length === 0) return Buffer.concat([Buffer.of(4), ...date])
  const [hours = 0, minutes = 0, seconds = 0, micros] = time
  const clock = [...date, Buffer.of(hours, minutes, seconds)]
  return micros === undefined
    ? Buffer.concat([Buffer.of(7), ...clock])
    : Buffer.concat([Buffer.of(11), ...clock, mysqlBytes.int(micros, 4)])
}

/** `-838:59:59.000001`; the empty text for no time at all. */
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
  const time = [Buffer.of(text.startsWith('-') ? 1 : 0), mysqlBytes.int(Math.floor(hours / 24), 4), Buffer.of(hours % 24, minutes, seconds)]
  return micros === undefined ? Buffer.concat([Buffer.of(8), ...time]) : Buffer.concat([Buffer.of(12), ...time, mysqlBytes.int(micros, 4)])
}

function digits(value: number, length = 2): string {
  return String(value).padStart(length, '0')
}
