import type { SqlField, SqlResult } from '../../../models/read-sql.ts'
import type { GivenColumn } from './mysql-client.ts'

/** A column of MySQL, with what a driver needs to read its values. Source: MySQL, "Protocol::ColumnDefinition41". */
export interface MysqlField extends SqlField {
  /** The number of the type. */
  readonly type: number
  /** The number of the character set; 63 is binary. */
  readonly charset: number
  readonly length: number
  readonly flags?: number
  readonly decimals?: number
  readonly table?: string
  /** What the table and the column are called without aliases, where that differs. */
  readonly orgTable?: string
  readonly orgName?: string
  readonly schema?: string
  /** MariaDB's name of the type (`uuid`), and its format (`json`). */
  readonly typeName?: string
  readonly format?: string
}

/** A value as text, in MySQL's own form, or as bytes if it is no text. */
export type MysqlValue = string | Uint8Array | null

/** What MySQL answered to one statement. */
export interface MysqlResult extends SqlResult {
  readonly fields?: readonly MysqlField[]
  readonly rows?: readonly (readonly MysqlValue[])[]
  readonly insertId?: number | bigint
  readonly warnings?: number
  /** What it says of a statement: `Rows matched: 1  Changed: 1  Warnings: 0`. */
  readonly info?: string
  /** The server's status, unless it is 2: outside of a transaction, each statement commits. */
  readonly status?: number
  /** The status behind the columns, where the one behind the rows is another. */
  readonly fieldStatus?: number
  /** What the statement changed of the session: the kind of change, and its texts. */
  readonly session?: readonly (readonly [kind: number, ...texts: string[]])[]
  /** More rows of this result follow in the next batch. */
  readonly suspended?: true
  /** More results follow in the next batch. */
  readonly more?: true
}

/** What MySQL answered: a list where there is more than one result. */
export type MysqlAnswer = MysqlResult | readonly MysqlResult[]

/** What MySQL told of a statement that it prepared. */
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

/** A column as a step keeps it. What is not set is left out. */
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
