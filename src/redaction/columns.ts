import type { PathKey } from '../trace/json.ts'
import { readSqlColumns } from './sql-columns.ts'

/** Names for the values in a field of an object, for names that are written elsewhere. */
export interface Columns {
  /** The field. */
  readonly key: 'rows' | 'values'
  /** Returns the names of the value at a place below the field: none, or several, such as a column's own name and its name in a statement. */
  readonly at: (place: readonly PathKey[]) => readonly string[]
}

const none: readonly string[] = []

/**
 * Returns the columns of a database's result or input: `{ fields: [{ name: 'id' }], rows: [['1']] }`, or
 * `{ sql: 'INSERT INTO users (id) VALUES (?)', values: [1] }`. Undefined if an object is neither.
 */
export function columnsOf(object: object): Columns | undefined {
  const { fields, columns = fields, rows, sql, values } = object as Readonly<Record<string, unknown>>
  if (Array.isArray(rows) && Array.isArray(columns)) {
    const names = columns.map(namesOf)
    return { key: 'rows', at: ({ length, 1: index }) => (length === 2 ? (names[Number(index)] ?? none) : none) }
  }
  return typeof sql === 'string' && typeof values === 'object' && values !== null ? columnsOfValues(sql, values) : undefined
}

/** Returns whether a value is one or more database results. */
export function hasColumns(value: unknown): boolean {
  return [value].flat().some((each) => typeof each === 'object' && each !== null && columnsOf(each)?.key === 'rows')
}

function columnsOfValues(sql: string, values: object): Columns {
  const { parameters, rows } = readSqlColumns(sql)
  // `node:sqlite` takes named values first, in an object.
  const named = Array.isArray(values) && hasNames(values[0], parameters) ? 1 : 0
  return {
    key: 'values',
    at([first = '', ...others]) {
      const [key = '', index, indexInRow] =
        typeof first === 'number' && named > 0 ? (first === 0 ? others : [first - named]) : [first, ...others]
      const row = typeof key === 'number' ? rows.get(key) : undefined
      if (row === undefined) return [...(parameters.get(withoutMark(key)) ?? none)]
      const column = row[Number(indexInRow ?? index)]
      return column === undefined ? none : [column]
    },
  }
}

function hasNames(value: unknown, parameters: ReadonlyMap<number | string, unknown>): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.keys(value).some((key) => parameters.has(withoutMark(key)))
}

/** Returns the name of a parameter without its mark; in `values` it may be `:id`, `@id`, `$id` or `id`. */
function withoutMark(key: PathKey): PathKey {
  return typeof key === 'string' ? key.replace(/^[:@$]/, '') : key
}

function namesOf(described: unknown): readonly string[] {
  if (typeof described === 'string') return [described]
  if (typeof described !== 'object' || described === null) return none
  const { name, column, orgName } = described as Readonly<Record<string, unknown>>
  return [name, column, orgName].filter((each) => typeof each === 'string')
}
