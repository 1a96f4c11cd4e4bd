import type { SqlField, SqlResult } from '../../../models/read-sql.ts'
import type { GivenColumn } from './mysql-client.ts'

/** A column of MySQL, with the data that a driver needs to read its values. Source: MySQL, "Protocol::ColumnDefinition41". */
export interface MysqlField extends SqlField {
  /** The number of the type. */
  readonly type: number
  /** The number of the character set; 63 is binary. */
  readonly charset: number
  readonly length: number
  readonly flags?: number
  readonly decimals?: number
  readonly table?: string
  /** The names of the table and the column without aliases, if different. */
  readonly orgTable?: string
  readonly orgName?: string
  readonly schema?: string
  /** MariaDB's name of the type (`uuid`), and its format (`json`). */
  readonly typeName?: string
  readonly format?: string
}

/** A value as text, in MySQL's own form, or as bytes if it is not text. */
export type MysqlValue = string | Uint8Array | null

/** MySQL's answer to one statement. */
export interface MysqlResult extends SqlResult {
  readonly fields?: readonly MysqlField[]
  readonly rows?: readonly (readonly MysqlValue[])[]
  readonly insertId?: number | bigint
  readonly warnings?: number
  /** Its description of the statement: `Rows matched: 1  Changed: 1  Warnings: 0`. */
  readonly info?: string
  /** The server's status, unless it is 2: outside of a transaction, where each statement commits. */
  readonly status?: number
  /** The status after the columns, if it differs from the status after the rows. */
  readonly fieldStatus?: number
  /** Changes that the statement made to the session: the kind of change, and its texts. */
  readonly session?: readonly (readonly [kind: number, ...texts: string[]])[]
  /** More rows of this result follow in the next batch. */
  readonly suspended?: true
  /** More results follow in the next batch. */
  readonly more?: true
}

/** MySQL's answer: a list if there is more than one result. */
export type MysqlAnswer = MysqlResult | readonly MysqlResult[]

/** MySQL's description of a prepared statement. */
export interface PreparedAnswer {
  readonly parameters: readonly MysqlField[]
  readonly fields: readonly MysqlField[]
}

/** Whether another batch follows. */
export function goesOn(answer: MysqlAnswer): boolean {
  const last = [answer].flat().at(-1)
  return last?.suspended === true || last?.more === true
}

export function toColumn({ name, orgName }: MysqlField): Pick<MysqlField, 'name' | 'orgName'> {
  return { name, ...(orgName === undefined ? {} : { orgName }) }
}

/** A column as a step keeps it, without fields that are not set. */
export function toField(column: GivenColumn): MysqlField {
  const { name, columnType, characterSet, columnLength, flags, decimals, table, orgTable, orgName, schema } = column
  return {
    name,
    type: columnType,
    charset: characterSet,
    length: columnLength,
    ...(flags === 0 ? {} : { flags }),
    ...(decimals === 0 ? {} : { decimals }),
    ...(table === '' ? {} : { table }),
    ...(orgTable === table ? {} : { orgTable }),
    ...(orgName === name ? {} : { orgName }),
    ...(schema === '' ? {} : { schema }),
    ...(column.extendedTypeName === undefined ? {} : { typeName: column.extendedTypeName }),
    ...(column.extendedFormat === undefined ? {} : { format: column.extendedFormat }),
  }
}
