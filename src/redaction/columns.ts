import type { PathKey } from '../trace/json.ts'
import { readSqlColumns } from './sql-columns.ts'

/** Names for what stands in a field of an object, where they are written elsewhere. */
export interface Columns {
  /** The field. */
  readonly key: 'rows' | 'values'
  /** The names of what stands at a place below it: none, or several, such as a column's own and that which a statement gives it. */
  readonly at: (place: readonly PathKey[]) => readonly string[]
}

const none: readonly string[] = []

/**
 * The columns of what a database gives or is given: `{ fields: [{ name: 'id' }], rows: [['1']] }`, or
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

/** Whether a value is a result of a database, or several. */
export function hasColumns(value: unknown): boolean {
  return [value].flat().some((each) => typeof each === 'object' && each !== null && columnsOf(each)?.key === 'rows')
}

function columnsOfValues(sql: string, values: object): Columns {
  const { parameters, rows } = readSqlColumns(sql)
  // `node:sqlite` takes those with names first, in an object.
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

/** What a parameter is called in `values`: `:id`, `@id`, `$id` or `id`. */
function withoutMark(key: PathKey): PathKey {
  return typeof key === 'string' ? key.replace(/^[:@$]/, '') : key
}

function namesOf(described: unknown): readonly string[] {
  if (typeof described === 'string') return [described]
  if (typeof described !== 'object' || described === null) return none
  const { name, column, orgName } = described as Readonly<Record<string, unknown>>
  return [name, column, orgName].filter((each) => typeof each === 'string')
}
