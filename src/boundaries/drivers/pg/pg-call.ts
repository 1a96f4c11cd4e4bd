import type { Scope } from '../../../run/scope.ts'
import type { DriverCall } from '../driver-call.ts'
import { describeSql } from '../sql.ts'
import { transactionOf } from '../transactions.ts'
import { type SessionInput, sessionOf } from '../sessions-of-run.ts'
import type { PgQuery } from './pg-client.ts'
import { limitOf, type PgLimited } from './pg-limits.ts'

/** A client, or a pool. */
interface PgHolder extends Address, PgLimited {
  /** Of a pool. */
  readonly options?: Address & { readonly connectionString?: string }
}

interface Address {
  readonly host?: string
  readonly port?: number
  readonly database?: string
}

const pools = new WeakMap<object, object>()

/** Remembers which pool a client is of. */
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

/** The step that a query is. @param rows How many rows are read of a cursor. */
export function pgCall({ run }: Scope, client: object, query: PgQuery, rows?: number): DriverCall {
  const { values } = query.cursor ?? query
  const sql = sqlOf(query)
  const { verb, effect } = describeSql(sql)
  const transaction = transactionOf(run, client, sql)
  const input = {
    sql,
    ...(!Array.isArray(values) || values.length === 0 ? {} : { values: values.map(asSent) }),
    ...(rows === undefined ? {} : { rows }),
    ...(transaction === undefined ? {} : { transaction }),
    ...sessionOfHolder(run, client),
  }
  return { name: `pg ${verb}`, effect, input, limit: limitOf(client, query) }
}

/** The statement of a query; of one that was prepared before, its name. */
export function sqlOf(query: PgQuery): string {
  const { text, name } = query.cursor ?? query
  return typeof text === 'string' ? text : String(name)
}

/** What a value says that it is to be sent as. Source: pg 8, lib/utils.js. */
function asSent(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asSent)
  if (typeof value !== 'object' || value === null) return value
  const { toPostgres } = value as { readonly toPostgres?: unknown }
  if (typeof toPostgres !== 'function') return value
  try {
    return asSent(Reflect.apply(toPostgres, value, [asSent]))
  } catch {
    // The driver tells the agent.
    return value
  }
}
