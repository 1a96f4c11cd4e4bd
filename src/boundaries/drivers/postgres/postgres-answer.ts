import type { SqlResult } from '../../../models/read-sql.ts'
import type { PostgresColumn, PostgresResult } from './postgres-query.ts'

interface Description {
  readonly name?: unknown
  readonly string?: unknown
  readonly types?: unknown
  readonly columns?: readonly PostgresColumn[] | null
}

/** A result of postgres, with values as postgres parsed them. */
export interface PostgresAnswer extends SqlResult {
  readonly fields?: readonly PostgresColumn[]
  /** Rows whose form the agent has changed. */
  readonly records?: readonly unknown[]
  readonly described?: Description
  readonly command?: string
  readonly count?: number
  readonly status?: string
  /** Only of a cursor: no more rows follow. */
  readonly isLast?: true
}

/** A result as a step keeps it; a list for several statements. */
export function keepResult(result: unknown, isLast?: true): PostgresAnswer | readonly PostgresAnswer[] {
  if (isResult(result)) return keepOne(result, isLast)
  return Array.isArray(result) ? result.map((each) => keepOne(each as PostgresResult)) : keepDescription(result)
}

/** The result of `describe()`: the prepared statement. */
function keepDescription(statement: unknown): PostgresAnswer {
  if (typeof statement !== 'object' || statement === null) return {}
  const { name, string, types, columns } = statement as Description
  return { described: { name, string, types, columns: (columns ?? []).map(keepColumn) } }
}

function keepColumn({ name, type, table, number }: PostgresColumn): PostgresColumn {
  return { name, type, ...(table === undefined ? {} : { table }), ...(number === undefined ? {} : { number }) }
}

function keepOne(result: PostgresResult, isLast?: true): PostgresAnswer {
  const { count, command, columns, state } = result
  const fields = columns?.map(keepColumn)
  // Later rows of a cursor come without their columns.
  const rows = fields === undefined || fields.length === 0 ? undefined : result.map((row) => valuesOf(row, fields))
  const isPlain = rows?.every((row): row is readonly unknown[] => row !== undefined)
  return {
    ...(fields === undefined ? {} : { fields }),
    ...(isPlain === true ? { rows } : {}),
    ...(isPlain !== true && result.length > 0 ? { records: [...result] } : {}),
    ...(typeof count === 'number' ? (rows === undefined ? { changed: count } : { count }) : {}),
    ...(typeof command === 'string' ? { command } : {}),
    ...(typeof state?.status === 'string' ? { status: state.status } : {}),
    ...(isLast === undefined ? {} : { isLast }),
  }
}

/** The values of a row in column order; undefined if the row's keys differ from the columns. */
function valuesOf(row: unknown, fields: readonly PostgresColumn[]): readonly unknown[] | undefined {
  if (Array.isArray(row)) return row
  if (typeof row !== 'object' || row === null) return undefined
  const names = new Set(fields.map(({ name }) => name))
  const keys = Object.keys(row)
  if (names.size !== fields.length || keys.length !== fields.length || !keys.every((key) => names.has(key))) return undefined
  return fields.map(({ name }) => Reflect.get(row, name) as unknown)
}

/** A result as postgres returns it. @param isRaw Whether rows are lists. @param sql The statement, which the result includes. */
export function reviveResult(answer: unknown, isRaw: boolean, sql: string): PostgresResult | readonly PostgresResult[] {
  if (Array.isArray(answer)) return answer.map((each) => reviveOne(each as PostgresAnswer, isRaw, sql))
  const { described } = (answer ?? {}) as PostgresAnswer
  return described === undefined ? reviveOne(answer ?? {}, isRaw, sql) : (described as PostgresResult)
}

function reviveOne(
  { fields, rows, records, command, changed, count = changed, status }: PostgresAnswer,
  isRaw: boolean,
  sql: string,
): PostgresResult {
  const toRow = (row: readonly unknown[]): unknown =>
    isRaw || fields === undefined ? row : Object.fromEntries(fields.map(({ name }, index) => [name, row[index]]))
  const result = new Result()
  for (const row of records ?? rows?.map(toRow) ?? []) result.push(row)
  return Object.defineProperties(result, {
    count: { value: count ?? null, writable: true },
    state: { value: status === undefined ? null : { status }, writable: true },
    command: { value: command ?? null, writable: true },
    columns: { value: fields ?? null, writable: true },
    statement: { value: { name: '', string: sql, types: [], columns: fields ?? [] }, writable: true },
  })
}

/** As in postgres, `map` and `filter` of a result return an ordinary list. */
class Result extends Array<unknown> {
  static override get [Symbol.species](): ArrayConstructor {
    return Array
  }
}

function isResult(value: unknown): value is PostgresResult {
  return Array.isArray(value) && 'command' in value
}
