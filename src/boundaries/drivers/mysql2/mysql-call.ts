import type { Scope } from '../../../run/scope.ts'
import { omitUndefined } from '../../../trace/json.ts'
import type { DriverCall } from '../driver-call.ts'
import { describeSql } from '../sql.ts'
import { type SessionInput, sessionOf } from '../sessions-of-run.ts'
import { shortestLimit } from '../../time-limit.ts'
import { transactionOf } from '../transactions.ts'
import type { CommandKind, ConnectionConfig, MysqlCommand, MysqlConnection } from './mysql-client.ts'

/** SQL and values as the agent passed them to `query` or `execute`, which make the driver insert the values, or bind them by name. */
export interface Asked {
  readonly sql: string
  readonly values: unknown
  /** In milliseconds. */
  readonly timeout?: unknown
}

/** A command as a step; undefined for a command that asks for nothing. */
export function mysqlCall(
  scope: Scope,
  connection: MysqlConnection,
  command: MysqlCommand,
  kind: CommandKind,
  asked?: Asked,
): DriverCall | undefined {
  switch (kind) {
    case 'query':
    case 'execute':
      return sqlCall(scope, connection, askedBy(command, asked))
    case 'prepare':
      return { name: 'mysql2 prepare', effect: 'read', input: { sql: command.query } }
    case 'change user': {
      const { user, database } = command
      return { name: 'mysql2 changeUser', effect: 'read', input: { user, ...(database === undefined ? {} : { database }) } }
    }
    case 'reset':
      return { name: 'mysql2 reset', effect: 'read', input: {} }
    default:
      return undefined
  }
}

/** The call that asks for the next batch of an answer. The query itself asks for the first batch. */
export function batchCall(call: DriverCall, batch: number): DriverCall {
  const { name, input } = call
  return batch === 1 ? call : { name, effect: 'read', input: { ...(input as object), batch } }
}

/** The arguments of `query` and `execute`: SQL or options, and values. */
export function askedOf([first, second]: readonly unknown[]): Asked | undefined {
  const options = typeof first === 'string' ? { sql: first } : (first as Partial<Asked> | undefined)
  if (typeof options?.sql !== 'string') return undefined
  const values = second === undefined || typeof second === 'function' ? options.values : second
  return { sql: options.sql, values, timeout: options.timeout }
}

/** A connection, with or without a pool, or a pool. */
interface MysqlHolder {
  readonly config?: ConnectionConfig & { readonly connectionConfig?: ConnectionConfig }
  /** Set on a pool's connection, even after it has left the pool. */
  readonly _removeFromPool?: unknown
}

function sessionOfHolder(run: object, holder: MysqlHolder): SessionInput {
  const { config = {} } = holder
  const { socketPath, host = 'localhost', port = 3306, database = '' } = config.connectionConfig ?? config
  const isOwn = config.connectionConfig === undefined && holder._removeFromPool === undefined
  return sessionOf(run, `${socketPath ?? `${host}:${port}`}/${database}`, isOwn ? holder : undefined)
}

/** SQL as a step. @param holder The object that holds the transaction. */
export function sqlCall({ run }: Scope, holder: object, { sql, values, timeout }: Asked): DriverCall {
  const statement = withRunComments(sql)
  const { verb, effect } = describeSql(statement)
  const transaction = transactionOf(run, holder, statement)
  const given = Array.isArray(values) && values.length === 0 ? undefined : (values ?? undefined)
  const input = { ...omitUndefined({ sql, values: given, transaction }), ...sessionOfHolder(run, holder) }
  return { name: `mysql2 ${verb}`, effect, input, limit: shortestLimit(timeout) }
}

/** Inserts values that are code, such as `mysql.raw('NOW()')`, into the SQL: only the resulting SQL shows their meaning. */
export function formatAsked(asked: Asked, format: (sql: string, values: unknown) => string): Asked {
  return hasCode(asked.values) ? { ...asked, sql: format(asked.sql, asked.values), values: undefined } : asked
}

/** Whether SQL makes the server read a file of the client. */
export function sendsFile(sql: string): boolean {
  return /\bload\s+(?:data|xml)\s+(?:low_priority\s+|concurrent\s+)?local\s+infile\b/i.test(sql)
}

/** The request of a command. `query` has inserted the values into its SQL. */
function askedBy({ sql, values, statement, timeout }: MysqlCommand, asked?: Asked): Asked {
  if (asked !== undefined) return formatAsked(asked, () => sql ?? asked.sql)
  return { sql: sql ?? statement?.query ?? '', values, timeout }
}

/** Unwraps comments that the server executes. Source: MySQL, "Comments". */
function withRunComments(sql: string): string {
  return sql.replace(/\/\*M?!\d*([^]*?)\*\//g, ' $1 ')
}

function hasCode(value: unknown): boolean {
  if (typeof value === 'function') return true
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || value instanceof Date) return false
  return (
    typeof Reflect.get(value, 'toSqlString') === 'function' ||
    Object.values(value).some((each) => typeof each === 'object' && hasCode(each))
  )
}
