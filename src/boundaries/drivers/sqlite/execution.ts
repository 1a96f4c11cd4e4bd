import { type AnsweredScope, isAnswered, type Scope } from '../../../run/scope.ts'
import { omitUndefined } from '../../../trace/json.ts'
import type { DriverCall } from '../driver-call.ts'
import { describeSql } from '../sql.ts'
import { transactionOf } from '../transactions.ts'
import type { Dialect } from './sqlite-dialect.ts'
import { databaseOf, fileOf, isReadOnly, pathOf, statementSql } from './known-statements.ts'
import { valuesOf } from './statement-modes.ts'

/** A call of a method that executes SQL. */
export interface Execution {
  readonly dialect: Dialect
  /** A database, a statement, or a store of tagged statements. */
  readonly executor: object
  readonly method: string
  readonly args: readonly unknown[]
}

/** The input of a step. */
export interface SqliteInput {
  readonly sql?: string
  readonly values?: unknown
  readonly transaction?: number
  /** The display path of the file; absent if the file is unknown. */
  readonly database?: string
  /** It writes to a database that was opened read-only: to a temporary table, or it fails. */
  readonly readonly?: true
  /** The number of rows read, if more were left. */
  readonly rows?: number
  /** The number of rows read before. */
  readonly after?: number
}

/** The call as a step. */
export interface SqliteCall extends DriverCall {
  readonly input: SqliteInput
}

/** Returns an execution as a step. Call this once for each execution, because it counts transactions. */
export function toCall(scope: Scope, execution: Execution): SqliteCall {
  const { dialect, executor, method } = execution
  const database = databaseOf(executor)
  const known = pathOf(database) === undefined ? undefined : fileOf(database, '')
  const file = known === undefined ? {} : { database: known }
  if (method === 'serialize') return { name: `${dialect.label} serialize`, effect: 'read', input: file }
  const sql = sqlOfExecution(execution) ?? ''
  const { verb, effect } = describeSql(sql)
  const values = valuesOfExecution(execution)
  const transaction = transactionOf(scope.run, database, sql)
  const name = `${dialect.label} ${verb}`
  const readonly = effect === 'write' && isReadOnly(database)
  const input = { ...omitUndefined({ sql, values, transaction }), ...(readonly && { readonly }), ...file }
  return { name, effect, input: isAnswered(scope) ? asRecorded(scope, name, input) : input }
}

/** Whether this is the statement that @libsql/client sends on each connection that it opens. It reads no table. */
export function isProbe(sql: string): boolean {
  return sql === 'SELECT 1 AS checkThatTheDatabaseCanBeOpened'
}

/** The executed SQL; undefined for a statement that was prepared before the doors were open and does not expose its SQL. */
export function sqlOfExecution({ executor, method, args }: Execution): string | undefined {
  const [first] = args
  if (isTemplate(first)) return first.join('?')
  if (method === 'exec' || method === 'serialize') return String(first)
  return statementSql(executor)
}

function valuesOfExecution({ executor, method, args }: Execution): unknown {
  const [first, ...rest] = args
  if (isTemplate(first)) return rest.length === 0 ? undefined : rest
  return method === 'exec' ? undefined : valuesOf(executor, args)
}

/** Whether a value is a tagged template, as for Node's `createTagStore`. */
function isTemplate(value: unknown): value is readonly string[] {
  return Array.isArray(value) && 'raw' in value
}

/**
 * The input in its recorded form: a statement that was prepared before the doors were open does not expose its database, and a replay may open
 * its doors earlier or later than its recording did.
 */
function asRecorded({ run }: AnsweredScope, name: string, input: SqliteInput): SqliteInput {
  const { database, transaction: _transaction, ...asked } = input
  const key = { sql: asked.sql, values: asked.values }
  if (run.recorded.find(name, { ...key, database }, 'untaken') !== undefined) return input
  const other = run.recorded.find(name, database === undefined ? key : { ...key, database: undefined }, 'untaken')
  if (other === undefined) return input
  const recorded = other.input as SqliteInput
  return { ...asked, ...omitUndefined({ transaction: recorded.transaction, database: recorded.database }) }
}
