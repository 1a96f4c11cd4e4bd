import { readBinaryValue } from './binary-values.ts'
import { MysqlReader } from './mysql-bytes.ts'
import { type MysqlAnswer, type MysqlField, type MysqlResult, type MysqlValue, toColumn, toField } from './mysql-result.ts'

/** The form of a connection's results. */
export interface ResultForm {
  /** The rows come from a prepared statement. */
  readonly isBinary: boolean
  /** Columns come with MariaDB's extended metadata. */
  readonly isExtended: boolean
  /** The capabilities that the server announces. */
  readonly capabilities: number
}

/** Bits of a server's status and capabilities. Source: MySQL, "Status Flags" and "Capabilities Flags". */
export const flags = { moreResults: 0x8, sessionChanged: 0x4000, sessionTrack: 0x80_0000 } as const

/** Outside of a transaction, each statement commits. */
const usualStatus = 2

/** Reads a server's answer to a query or a prepared statement. Source: MySQL, "Text Resultset", "Binary Protocol Resultset", "OK_Packet". */
export class ResultReader {
  /** Everything has been read. */
  isOver = false
  /** It ended with an error. */
  hasFailed = false
  /** The server asked for a file of the client. */
  wantsFile = false
  readonly #form: ResultForm
  #results: MysqlResult[] = []
  #awaits: 'header' | 'fields' | 'rows' = 'header'
  #fieldCount = 0
  #fields: MysqlField[] = []
  #fieldStatus = usualStatus
  #hasGivenFields = false
  #rows: MysqlValue[][] = []

  constructor(form: ResultForm) {
    this.#form = form
  }

  /** Whether there is something to take. */
  get isReady(): boolean {
    return this.#results.length > 0 || this.#awaits === 'rows'
  }

  read(packet: Buffer): void {
    if (packet[0] === 0xff) this.isOver = this.hasFailed = true
    else if (this.#awaits === 'header') this.#readHeader(packet)
    else if (packet[0] === 0xfe && packet.length < 9) this.#readEnd(packet)
    else if (this.#awaits === 'fields') this.#fields.push(readField(new MysqlReader(packet), this.#form))
    else this.#rows.push(this.#readRow(new MysqlReader(packet)))
  }

  /** Takes everything read since the last call. */
  take(): MysqlAnswer {
    const results = this.#results
    this.#results = []
    const last = results.at(-1)
    if (this.#awaits === 'rows') results.push({ ...this.#takeRows(), suspended: true })
    else if (last !== undefined && (!this.isOver || this.hasFailed)) results[results.length - 1] = { ...last, more: true }
    const [first] = results
    return results.length === 1 && first !== undefined ? first : results
  }

  #readHeader(packet: Buffer): void {
    if (packet[0] === 0xfb) this.wantsFile = true
    else if (packet[0] === 0) this.#ends(readOk(new MysqlReader(packet), this.#form), packet.readUInt16LE(statusOffset(packet)))
    else {
      this.#fieldCount = Number(new MysqlReader(packet).lengthCoded())
      this.#fields = []
      this.#hasGivenFields = false
      this.#awaits = 'fields'
    }
  }

  /** Reads the end of the fields or of the rows. The driver keeps its bytes in the columns that it returns. */
  #readEnd(packet: Buffer): void {
    const status = packet.readUInt16LE(3)
    if (this.#awaits === 'rows') return this.#ends(this.#takeRows({ status, warnings: packet.readUInt16LE(1) }), status)
    this.#fieldStatus = status & ~flags.moreResults
    this.#awaits = 'rows'
  }

  #ends(result: MysqlResult, status: number): void {
    this.#results.push(result)
    this.#awaits = 'header'
    this.isOver = (status & flags.moreResults) === 0
  }

  /** @param end The end packet of the rows. */
  #takeRows(end?: { readonly status: number; readonly warnings: number }): MysqlResult {
    const fields = this.#hasGivenFields ? undefined : this.#fields
    const status = end === undefined ? fields && this.#fieldStatus : end.status & ~flags.moreResults
    const result = {
      ...(fields === undefined ? { columns: this.#fields.map(toColumn) } : { fields }),
      rows: this.#rows,
      ...said(status, end?.warnings),
      ...(fields === undefined || status === this.#fieldStatus ? {} : { fieldStatus: this.#fieldStatus }),
    }
    this.#rows = []
    this.#hasGivenFields = true
    return result
  }

  #readRow(reader: MysqlReader): MysqlValue[] {
    if (!this.#form.isBinary) return this.#fields.map(() => reader.value())
    reader.int(1)
    // The bits for NULL columns start with the third.
    const nulls = reader.bytes(Math.floor((this.#fieldCount + 9) / 8))
    return this.#fields.map((field, index) => {
      const isNull = ((nulls[(index + 2) >> 3] ?? 0) & (1 << ((index + 2) & 7))) !== 0
      return isNull ? null : readBinaryValue(reader, field)
    })
  }
}

/** Reads a column. */
function readField(reader: MysqlReader, { isExtended }: ResultForm): MysqlField {
  const [, schema = '', table = '', orgTable = '', name = '', orgName = ''] = Array.from({ length: 6 }, () => reader.text())
  const extended = isExtended ? readExtended(reader) : {}
  reader.int(1)
  const [characterSet, columnLength, columnType, columnFlags] = [reader.int(2), reader.int(4), reader.int(1), reader.int(2)]
  const decimals = reader.int(1)
  const names = { schema, table, orgTable, name, orgName }
  return toField({ ...names, ...extended, characterSet, columnLength, columnType, flags: columnFlags, decimals })
}

/** Source: MariaDB, "Result Set Packets", extended metadata. */
function readExtended(packet: MysqlReader): { extendedTypeName?: string; extendedFormat?: string } {
  const reader = new MysqlReader(packet.bytes(Number(packet.lengthCoded() ?? 0)))
  const read: { extendedTypeName?: string; extendedFormat?: string } = {}
  while (reader.left > 0) {
    const kind = reader.int(1)
    const value = reader.text()
    if (kind === 0) read.extendedTypeName = value
    if (kind === 1) read.extendedFormat = value
  }
  return read
}

function statusOffset(ok: Buffer): number {
  const reader = new MysqlReader(ok)
  reader.int(1)
  reader.lengthCoded()
  reader.lengthCoded()
  return reader.offset
}

/** The status and warnings of a result, if they are unusual. */
function said(status = usualStatus, warnings = 0): Pick<MysqlResult, 'status' | 'warnings'> {
  return { ...(warnings === 0 ? {} : { warnings }), ...(status === usualStatus ? {} : { status }) }
}

function readOk(reader: MysqlReader, { capabilities }: ResultForm): MysqlResult {
  reader.int(1)
  const changed = Number(reader.lengthCoded())
  const id = reader.lengthCoded() ?? 0n
  const status = reader.int(2) & ~flags.moreResults
  const warnings = reader.int(2)
  const isTracked = (capabilities & flags.sessionTrack) !== 0 && reader.left > 0
  const info = isTracked ? reader.text() : reader.bytes(reader.left).toString()
  const session = isTracked && (status & flags.sessionChanged) !== 0 && reader.left > 0 ? readSession(reader) : []
  return {
    changed,
    ...(id === 0n ? {} : { insertId: id <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(id) : id }),
    ...said(status, warnings),
    ...(info === '' ? {} : { info }),
    ...(session.length === 0 ? {} : { session }),
  }
}

/** Source: MySQL, "OK_Packet", session state information. */
function readSession(packet: MysqlReader): [number, ...string[]][] {
  const reader = new MysqlReader(packet.bytes(Number(packet.lengthCoded() ?? 0)))
  const changes: [number, ...string[]][] = []
  while (reader.left > 0) {
    const kind = reader.int(1)
    const change = new MysqlReader(reader.bytes(Number(reader.lengthCoded() ?? 0)))
    const texts: string[] = []
    while (change.left > 0) texts.push(change.text())
    changes.push([kind, ...texts])
  }
  return changes
}
