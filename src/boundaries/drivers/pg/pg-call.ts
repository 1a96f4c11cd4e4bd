import type { Scope } from '../../../run/scope.ts'
import { omitUndefined } from '../../../trace/json.ts'
import type { DriverCall } from '../driver-call.ts'
import { describeSql } from '../sql.ts'
import { transactionOf } from '../transactions.ts'
import { type SessionInput, sessionOf } from '../sessions-of-run.ts'
import type { PgQuery } from './pg-client.ts'
import { limitOf, type PgLimited } from './pg-limits.ts'
import { orElse } from '../../../trace/or-else.ts'

/** A client, or a pool. */
interface PgHolder extends Address, PgLimited {
  /** Only of a pool. */
  readonly options?: Address & { readonly connectionString?: string }
}

interface Address {
  readonly host?: string
  readonly port?: number
  readonly database?: string
}

const pools = new WeakMap<object, object>()

/** Remembers the pool of a client. */
export function knowPool(client: object, pool: object): void {
  pools.set(client, pool)
}

function sessionOfHolder(run: object, given: PgHolder): SessionInput {
  const holder = (pools.get(given) ?? given) as PgHolder
  return sessionOf(run, targetOf(holder), holder.options === undefined ? holder : undefined)
}

function targetOf({ options, ...own }: PgHolder): string {
  const { connectionString } = options ?? {}
  if (connectionString !== undefined && URL.canParse(connectionString)) {
    const { host, pathname } = new URL(connectionString)
    return `${host}${pathname}`
  }
  const { host = 'localhost', port = 5432, database = '' } = options ?? own
  return `${host}:${port}/${database}`
}

/** A query as a step. @param rows The number of rows to read from a cursor. */
export function pgCall({ run }: Scope, client: object, query: PgQuery, rows?: number): DriverCall {
  const { values } = query.cursor ?? query
  const sql = sqlOf(query)
  const { verb, effect } = describeSql(sql)
  const transaction = transactionOf(run, client, sql)
  const sent = Array.isArray(values) && values.length > 0 ? values.map(asSent) : undefined
  const input = { ...omitUndefined({ sql, values: sent, rows, transaction }), ...sessionOfHolder(run, client) }
  return { name: `pg ${verb}`, effect, input, limit: limitOf(client, query) }
}

/** The statement of a query; the name of one prepared earlier. */
export function sqlOf(query: PgQuery): string {
  const { text, name } = query.cursor ?? query
  return typeof text === 'string' ? text : String(name)
}

/** The value that a value's `toPostgres` returns. Source: pg 8, lib/utils.js. */
function asSent(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asSent)
  if (typeof value !== 'object' || value === null) return value
  const { toPostgres } = value as { readonly toPostgres?: unknown }
  if (typeof toPostgres !== 'function') return value
  // The driver reports it to the agent.
  return orElse(() => asSent(Reflect.apply(toPostgres, value, [asSent])), value)
}
