import type { SqlInput } from '../../../models/sql.ts'
import { identifierOf, isQuery, keepValue } from './postgres-values.ts'
import type { PostgresQuery } from './postgres-query.ts'

/**
 * The statement of a query as it is written in the program: fragments in their place, values as `$1`, and what a helper like `sql(order)` writes as a
 * value too. postgres itself makes the text when a connection is free.
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
  // The values of `unsafe` are those of its one text.
  if (strings.length === 1) values.push(...args.map(keep))
  return strings.map((text, index) => (index === 0 ? text : partOf(args[index - 1]) + text)).join('')
}
