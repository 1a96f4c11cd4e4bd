import type { Scope } from '../../../run/scope.ts'
import type { DriverCall } from '../driver-call.ts'
import { describeSql } from '../sql.ts'
import { type SessionInput, sessionOf } from '../sessions-of-run.ts'
import { shortestLimit } from '../../time-limit.ts'
import { transactionOf } from '../transactions.ts'
import type { CommandKind, ConnectionConfig, MysqlCommand, MysqlConnection } from './mysql-client.ts'

/** SQL as the agent gave it to `query` or `execute`, which have the driver put values into it, or name them. */
export interface Asked {
  readonly sql: string
  readonly values: unknown
  /** In milliseconds. */
  readonly timeout?: unknown
}

/** The step that a command is; undefined for a command that asks for nothing. */
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

/** The call that asks for more of an answer that comes in batches. The batch that the query itself asks for is the first. */
export function batchCall(call: DriverCall, batch: number): DriverCall {
  const { name, input } = call
  return batch === 1 ? call : { name, effect: 'read', input: { ...(input as object), batch } }
}

/** What `query` and `execute` are given: SQL or options, and values. */
export function askedOf([first, second]: readonly unknown[]): Asked | undefined {
  const options = typeof first === 'string' ? { sql: first } : (first as Partial<Asked> | undefined)
  if (typeof options?.sql !== 'string') return undefined
  const values = second === undefined || typeof second === 'function' ? options.values : second
  return { sql: options.sql, values, timeout: options.timeout }
}

/** A connection, which may be of a pool, or a pool. */
interface MysqlHolder {
  readonly config?: ConnectionConfig & { readonly connectionConfig?: ConnectionConfig }
  /** Of a connection of a pool, also when it has left that. */
  readonly _removeFromPool?: unknown
}

function sessionOfHolder(run: object, holder: MysqlHolder): SessionInput {
  const { config = {} } = holder
  const { socketPath, host = 'localhost', port = 3306, database = '' } = config.connectionConfig ?? config
  const isOwn = config.connectionConfig === undefined && holder._removeFromPool === undefined
  return sessionOf(run, `${socketPath ?? `${host}:${port}`}/${database}`, isOwn ? holder : undefined)
}

/** The step that SQL is. @param holder What holds a transaction. */
export function sqlCall({ run }: Scope, holder: object, { sql, values, timeout }: Asked): DriverCall {
  const statement = withRunComments(sql)
  const { verb, effect } = describeSql(statement)
  const transaction = transactionOf(run, holder, statement)
  const input = {
    sql,
    ...(values === undefined || values === null || (Array.isArray(values) && values.length === 0) ? {} : { values }),
    ...(transaction === undefined ? {} : { transaction }),
    ...sessionOfHolder(run, holder),
  }
  return { name: `mysql2 ${verb}`, effect, input, limit: shortestLimit(timeout) }
}

/** Where values are more than data, such as those of `mysql.raw('NOW()')`, only the SQL with the values in it tells what they mean. */
export function formatAsked(asked: Asked, format: (sql: string, values: unknown) => string): Asked {
  return hasCode(asked.values) ? { ...asked, sql: format(asked.sql, asked.values), values: undefined } : asked
}

/** Whether a text of SQL has the server read a file of the client. */
export function sendsFile(sql: string): boolean {
  return /\bload\s+(?:data|xml)\s+(?:low_priority\s+|concurrent\s+)?local\s+infile\b/i.test(sql)
}

/** What a command asks. `query` has put the values into its SQL. */
function askedBy({ sql, values, statement, timeout }: MysqlCommand, asked?: Asked): Asked {
  if (asked !== undefined) return formatAsked(asked, () => sql ?? asked.sql)
  return { sql: sql ?? statement?.query ?? '', values, timeout }
}

/** Comments that the server carries out. Source: MySQL, "Comments". */
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
