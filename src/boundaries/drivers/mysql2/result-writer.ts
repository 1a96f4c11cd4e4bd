import { writeBinaryValue } from './binary-values.ts'
import { littleEndian } from '../wire-bytes.ts'
import { writeLength, writeValue } from './mysql-bytes.ts'
import type { MysqlAnswer, MysqlField, MysqlResult, MysqlValue, PreparedAnswer } from './mysql-result.ts'
import { flags, type ResultForm } from './result-reader.ts'

/** Writes the packets that `ResultReader` has read, without their headers. */
export class ResultWriter {
  readonly #form: ResultForm
  #fields: readonly MysqlField[] = []

  constructor(form: ResultForm) {
    this.#form = form
  }

  /** Writes a batch of results. The previous batch may have left rows out. */
  write(answer: MysqlAnswer): Buffer[] {
    const results = [answer].flat() as readonly MysqlResult[]
    return results.flatMap((result, index) => this.#writeResult(result, index < results.length - 1 || result.more === true))
  }

  #writeResult(result: MysqlResult, hasMore: boolean): Buffer[] {
    const { fields, rows, suspended, warnings = 0, status, fieldStatus = status } = result
    if (rows === undefined) return [writeOk(result, hasMore)]
    if (fields !== undefined) this.#fields = fields
    return [
      ...(fields === undefined ? [] : [writeLength(fields.length), ...this.#writeFields(fields, fieldStatus, hasMore)]),
      ...rows.map((row) => this.#writeRow(row)),
      ...(suspended === true ? [] : [writeEnd(status, warnings, hasMore)]),
    ]
  }

  /** Writes the answer to preparing a statement. Source: MySQL, "COM_STMT_PREPARE Response". */
  writePrepared({ parameters, fields }: PreparedAnswer): Buffer[] {
    const head = Buffer.concat([
      Buffer.of(0),
      littleEndian.int(1, 4),
      littleEndian.int(fields.length, 2),
      littleEndian.int(parameters.length, 2),
      Buffer.alloc(3),
    ])
    return [head, ...[parameters, fields].flatMap((each) => (each.length === 0 ? [] : this.#writeFields(each)))]
  }

  #writeFields(fields: readonly MysqlField[], status?: number, hasMore = false): Buffer[] {
    return [...fields.map((field) => writeField(field, this.#form)), writeEnd(status, 0, hasMore)]
  }

  #writeRow(row: readonly MysqlValue[]): Buffer {
    if (!this.#form.isBinary) return Buffer.concat(row.map(writeValue))
    const nulls = Buffer.alloc(Math.floor((row.length + 9) / 8))
    const values = row.flatMap((value, index) => {
      const field = this.#fields[index]
      if (value !== null && field !== undefined) return [writeBinaryValue(value, field)]
      const byte = (index + 2) >> 3
      nulls[byte] = (nulls[byte] ?? 0) | (1 << ((index + 2) & 7))
      return []
    })
    return Buffer.concat([Buffer.of(0), nulls, ...values])
  }
}

/** An error of the server. Source: MySQL, "ERR_Packet". */
export function writeError({ errno, sqlState, sqlMessage }: MysqlError): Buffer {
  const state = sqlState === undefined || sqlState === '' ? '' : `#${sqlState.padEnd(5).slice(0, 5)}`
  return Buffer.concat([Buffer.of(0xff), littleEndian.int(errno, 2), Buffer.from(`${state}${sqlMessage}`)])
}

/** mysql2's form of a server error. */
export interface MysqlError {
  readonly errno: number
  readonly sqlState?: string
  readonly sqlMessage: string
}

/** Whether an error came from the server. */
export function isMysqlError(error: unknown): error is Error & MysqlError {
  return error instanceof Error && 'sqlMessage' in error && 'errno' in error && typeof error.errno === 'number'
}

/** Writes an OK answer. Source: MySQL, "OK_Packet". */
export function writeOk({ changed = 0, insertId = 0, warnings = 0, info = '', status, session }: MysqlResult, hasMore = false): Buffer {
  const changes = session?.map(([kind, ...texts]) => {
    const change = Buffer.concat(texts.map(writeValue))
    return Buffer.concat([Buffer.of(kind), writeLength(change.length), change])
  })
  const tracked = changes === undefined ? [] : [writeValue(Buffer.concat(changes))]
  return Buffer.concat([
    Buffer.of(0),
    writeLength(changed),
    writeLength(insertId),
    writeStatus(status, hasMore),
    littleEndian.int(warnings, 2),
    ...(info === '' && tracked.length === 0 ? [] : [writeValue(info), ...tracked]),
  ])
}

/** Adds headers to packets, numbered from the first one's number. A large packet is split. Source: MySQL, "Protocol::Packet". */
export function frame(packets: readonly Buffer[], first: number): Buffer {
  let number = first
  const parts = packets.flatMap((packet) => {
    const framed: Buffer[] = []
    for (let start = 0; ; start += maxLength) {
      const part = packet.subarray(start, start + maxLength)
      framed.push(littleEndian.int(part.length, 3), Buffer.of(number % 256), part)
      number += 1
      if (part.length < maxLength) return framed
    }
  })
  return Buffer.concat(parts)
}

const maxLength = 0xff_ffff

function writeEnd(status: number | undefined, warnings: number, hasMore: boolean): Buffer {
  return Buffer.concat([Buffer.of(0xfe), littleEndian.int(warnings, 2), writeStatus(status, hasMore)])
}

function writeStatus(status = 2, hasMore = false): Buffer {
  return littleEndian.int((hasMore ? status | flags.moreResults : status) & 0xffff, 2)
}

function writeField(field: MysqlField, { isExtended }: ResultForm): Buffer {
  const {
    name,
    type,
    charset,
    length,
    flags: columnFlags = 0,
    decimals = 0,
    table = '',
    orgTable = table,
    orgName = name,
    schema = '',
  } = field
  const { typeName, format } = field
  const extended = [typeName, format].flatMap((text, kind) => (text === undefined ? [] : [Buffer.of(kind), writeValue(text)]))
  return Buffer.concat([
    ...['def', schema, table, orgTable, name, orgName].map(writeValue),
    ...(isExtended ? [writeValue(Buffer.concat(extended))] : []),
    Buffer.of(12),
    littleEndian.int(charset, 2),
    littleEndian.int(length, 4),
    Buffer.of(type),
    littleEndian.int(columnFlags, 2),
    Buffer.of(decimals),
    Buffer.alloc(2),
  ])
}
