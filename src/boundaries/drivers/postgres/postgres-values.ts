import { isPromise } from 'node:util/types'
import type { SqlInput } from '../../../models/read-sql.ts'
import { isPlainObject } from '../../../run/handed-out/handed-out.ts'
import type { PostgresQuery } from './postgres-query.ts'

/** A value to which the agent gave a type: `sql.json(order)`, `sql.typed(1, 20)`, `sql.array(ids)`. Source: postgres 3, src/types.js, Parameter. */
interface Parameter {
  readonly value: unknown
  readonly type: unknown
  readonly array: unknown
}

/** The result of `sql(order, 'id', 'name')`. Source: postgres 3, src/types.js, Builder. */
interface Helper {
  readonly first: unknown
  readonly rest: readonly unknown[]
}

/** A value with its type, as a step keeps it. */
export interface TypedValue {
  readonly value: unknown
  /** The number of the type. */
  readonly type: unknown
  /** It is a list of values of this type. */
  readonly array?: true
}

/**
 * The statement of a query as written in the program: fragments are inlined, values become `$1`, and so does the output of a helper such as
 * `sql(order)`. postgres itself builds the text when a connection is free.
 */
export function readStatement(query: PostgresQuery): SqlInput {
  return readPart(query, new Set([query]))
}

function readPart(query: PostgresQuery, seen: ReadonlySet<unknown>): SqlInput {
  const values: unknown[] = []
  const sql = textOf(query, values, seen)
  return { sql, ...(values.length === 0 ? {} : { values }) }
}

function textOf({ strings, args }: PostgresQuery, values: unknown[], seen: ReadonlySet<unknown>): string {
  const keep = (value: unknown): unknown =>
    keepValue(value, (query) => (seen.has(query) ? undefined : readPart(query, new Set([...seen, query]))))
  const partOf = (arg: unknown): string => {
    if (Array.isArray(arg) && arg.length > 0 && arg.every(isQuery)) return arg.map(partOf).join(' ')
    if (isQuery(arg)) return seen.has(arg) ? '' : textOf(arg, values, new Set([...seen, arg]))
    const name = identifierOf(arg)
    if (name !== undefined) return name
    values.push(keep(arg))
    return `$${values.length}`
  }
  // The values of `unsafe` belong to its single text.
  if (strings.length === 1) values.push(...args.map(keep))
  return strings.map((text, index) => (index === 0 ? text : partOf(args[index - 1]) + text)).join('')
}

type ReadFragment = (query: PostgresQuery) => unknown

/**
 * A value as a step keeps it: as data, at any depth at which postgres looks for its own objects. A fragment or a name in a helper becomes
 * `{ sql, values }`, a value with a type `{ value, type }`.
 *
 * @param readFragment Returns the text and the values of a fragment.
 */
export function keepValue(value: unknown, readFragment: ReadFragment): unknown {
  const keep = (inner: unknown): unknown => keepValue(inner, readFragment)
  if (typeof value !== 'object' || value === null) return value
  if (isQuery(value)) return readFragment(value)
  if (Array.isArray(value)) return value.map(keep)
  const name = identifierOf(value)
  if (name !== undefined) return { sql: name }
  if (isHelper(value)) return keepHelper(value, keep)
  if (isParameter(value)) return keepParameter(value, keep)
  return keepObject(value)
}

/** Whether a value is a query or a fragment of one. */
function isQuery(value: unknown): value is PostgresQuery {
  return isPromise(value) && Array.isArray(Reflect.get(value, 'strings')) && Array.isArray(Reflect.get(value, 'args'))
}

/** An escaped name: `sql('orders')`. */
function identifierOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || isPlainObject(value) || Object.keys(value).join() !== 'value') return undefined
  const name: unknown = Reflect.get(value, 'value')
  return typeof name === 'string' ? name : undefined
}

/** The fields and rows of a helper, limited to its columns. */
function keepHelper({ first, rest }: Helper, keep: (value: unknown) => unknown): unknown {
  const columns = rest.flat().filter((column): column is string => typeof column === 'string')
  const keepRow = (row: unknown): unknown => {
    if (typeof row !== 'object' || row === null || Array.isArray(row)) return keep(row)
    const names = rest.length === 0 ? Object.keys(row) : columns
    return Object.fromEntries(names.map((name) => [name, keep(Reflect.get(row, name))]))
  }
  const rows = Array.isArray(first) ? first.map((row) => (isMade(row) ? keep(row) : keepRow(row))) : keepRow(first)
  return rest.length === 0 ? rows : [rows, rest]
}

/** Whether postgres created the value, which then is not a row. */
function isMade(value: unknown): boolean {
  return isQuery(value) || (typeof value === 'object' && value !== null && (isHelper(value) || isParameter(value)))
}

function keepParameter({ value, type, array }: Parameter, keep: (value: unknown) => unknown): unknown {
  if (type === undefined && array === undefined) return keep(value)
  return { value: keep(value), type, ...(array === undefined ? {} : { array: true }) } satisfies TypedValue
}

/** For an object of unknown type, postgres sends its string form, which its fields may not show. */
function keepObject(value: object): unknown {
  if (isPlainObject(value) || ArrayBuffer.isView(value) || value instanceof Date) return value
  const { toString, toJSON } = value as { readonly toString?: unknown; readonly toJSON?: unknown }
  if (typeof toString !== 'function' || toString === Object.prototype.toString) return value
  try {
    const text: unknown = Reflect.apply(toString, value, [])
    if (typeof toJSON !== 'function') return Object.keys(value).length === 0 ? { text } : { value, text }
    return typeof Reflect.apply(toJSON, value, ['']) === 'string' ? value : { value, text }
  } catch {
    // postgres reports it to the agent.
    return value
  }
}

function isHelper(value: object): value is Helper {
  return !isPlainObject(value) && 'first' in value && 'rest' in value && Array.isArray(value.rest)
}

function isParameter(value: object): value is Parameter {
  return !isPlainObject(value) && 'type' in value && 'value' in value && 'array' in value
}
