import { type AnsweredScope, isAnswered } from '../../mcp/answered-scope.ts'
import type { Scope } from '../../../run/scope.ts'
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
  /** The file, as a person reads it; absent if it is unknown. */
  readonly database?: string
  /** It writes to a database that was opened read-only: to a temporary table, or in vain. */
  readonly readonly?: true
  /** How many rows were read, where more were left. */
  readonly rows?: number
  /** How many rows had been read before. */
  readonly after?: number
}

/** The call that is a step. */
export interface SqliteCall extends DriverCall {
  readonly input: SqliteInput
}

/** The step that an execution is. Told once for each, because it counts transactions. */
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
  const input = {
    sql,
    ...(values !== undefined && { values }),
    ...(transaction !== undefined && { transaction }),
    ...(readonly && { readonly }),
    ...file,
  }
  return { name, effect, input: isAnswered(scope) ? asRecorded(scope, name, input) : input }
}

/** Whether this is what @libsql/client asks on a connection that it opens, whenever that is. It reads no table. */
export function isProbe(sql: string): boolean {
  return sql === 'SELECT 1 AS checkThatTheDatabaseCanBeOpened'
}

/** The SQL that is executed; undefined for a statement that was prepared before the doors were open and does not tell its own. */
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

/** A tagged template: of Node's `createTagStore`. */
function isTemplate(value: unknown): value is readonly string[] {
  return Array.isArray(value) && 'raw' in value
}

/**
 * The same, as the trace has it: a statement that was prepared before the doors were open does not tell its database, and doors of a replay may open
 * earlier or later than those of its recording did.
 */
function asRecorded({ run }: AnsweredScope, name: string, input: SqliteInput): SqliteInput {
  const { database, transaction: _transaction, ...asked } = input
  const key = { sql: asked.sql, values: asked.values }
  if (run.recorded.find(name, { ...key, database }, 'untaken') !== undefined) return input
  const other = run.recorded.find(name, database === undefined ? key : { ...key, database: undefined }, 'untaken')
  if (other === undefined) return input
  const recorded = other.input as SqliteInput
  return {
    ...asked,
    ...(recorded.transaction !== undefined && { transaction: recorded.transaction }),
    ...(recorded.database !== undefined && { database: recorded.database }),
  }
}
