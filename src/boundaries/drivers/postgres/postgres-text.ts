import { isPromise } from 'node:util/types'
import type { SqlInput } from '../../../models/sql.ts'
import type { PostgresQuery } from './postgres-query.ts'

/**
 * The statement of a query as it is written in the program: fragments in their place, values as `$1`, and what a helper like `sql(order)` writes as a
 * value too. postgres itself makes the text when a connection is free.
 */
export function readStatement(query: PostgresQuery): SqlInput {
  const values: unknown[] = []
  const sql = textOf(query, values, new Set([query]))
  return { sql, ...(values.length === 0 ? {} : { values }) }
}

function textOf({ strings, args }: PostgresQuery, values: unknown[], seen: ReadonlySet<unknown>): string {
  // The values of `unsafe` are those of its one text.
  if (strings.length === 1) values.push(...args.map(valueOf))
  const parts = strings.map((text, index) => (index === 0 ? text : partOf(args[index - 1], values, seen) + text))
  return parts.join('')
}

function partOf(arg: unknown, values: unknown[], seen: ReadonlySet<unknown>): string {
  if (Array.isArray(arg) && arg.length > 0 && arg.every(isQuery)) return arg.map((each) => partOf(each, values, seen)).join(' ')
  if (isQuery(arg)) return seen.has(arg) ? '' : textOf(arg, values, new Set([...seen, arg]))
  const name = identifierOf(arg)
  if (name !== undefined) return name
  values.push(valueOf(arg))
  return `$${values.length}`
}

function isQuery(value: unknown): value is PostgresQuery {
  return isPromise(value) && Array.isArray(Reflect.get(value, 'strings')) && Array.isArray(Reflect.get(value, 'args'))
}

/** A name that was escaped: `sql('orders')`. */
function identifierOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Object.keys(value).join() !== 'value') return undefined
  const name: unknown = Reflect.get(value, 'value')
  return typeof name === 'string' ? name : undefined
}

/** The value of a parameter that was given a type, what a helper was given, or the value itself. */
function valueOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if ('first' in value && 'rest' in value) return (value.rest as unknown[]).length === 0 ? value.first : [value.first, value.rest]
  return 'type' in value && 'value' in value && 'array' in value ? value.value : value
}
