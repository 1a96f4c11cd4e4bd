import { recordOf } from './json-fields.ts'

/** A request to the driver of an SQL database, as a step contains it. */
export interface SqlInput {
  readonly sql: string
  /** Its parameters, in order or by name. */
  readonly values?: unknown
  /** The number of its transaction: the first of the run is 1. */
  readonly transaction?: number
}

/** The database's answer to one statement, as a step contains it. */
export interface SqlResult {
  /** The columns, with everything else that the driver has to know about them. */
  readonly fields?: readonly SqlField[]
  /** The columns, if the rows continue those of an earlier answer. */
  readonly columns?: readonly SqlField[]
  /** The values of each row, as the database wrote them. */
  readonly rows?: readonly (readonly unknown[])[]
  /** How many rows were changed, if that is known. */
  readonly changed?: number
}

/** A column. */
export interface SqlField {
  readonly name: string
}

/** Returns `SELECT * FROM orders WHERE id = $1 ["ord_1"]`; undefined for the input of another step. */
export function readSqlInput(input: unknown): SqlInput | undefined {
  return typeof recordOf(input)['sql'] === 'string' ? (input as SqlInput) : undefined
}

/** Returns `1 row`, `3 rows changed`, `SELECT 1`, for each of several statements. Undefined for the output of another step. */
export function summarizeSqlOutput(output: unknown): string | undefined {
  if (Array.isArray(output)) {
    const parts = output.map(summarizeSqlOutput)
    return parts.length === 0 || parts.includes(undefined) ? undefined : parts.join(', ')
  }
  const { rows, changed, command } = recordOf(output)
  if (Array.isArray(rows)) return `${rows.length} ${rows.length === 1 ? 'row' : 'rows'}`
  // PostgreSQL counts in words: `UPDATE 1`.
  if (typeof command === 'string') return command
  return typeof changed === 'number' ? `${changed} ${changed === 1 ? 'row' : 'rows'} changed` : undefined
}
