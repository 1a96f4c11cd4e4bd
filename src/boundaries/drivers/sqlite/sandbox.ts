import type { AnsweredScope } from '../../../run/scope.ts'
import { isPromise } from 'node:util/types'
import { knownOrMade } from '../../../trace/remember.ts'
import type { SandboxFile } from '../../../run/active-run.ts'
import { transactionPart } from '../sql.ts'
import type { Dialect } from './sqlite-dialect.ts'
import { type Execution, type SqliteInput, sqlOfExecution } from './execution.ts'
import { askDatabase, databaseOf } from './known-statements.ts'
import { otherFileOf } from './other-files.ts'
import { columnsOf, keepResult } from './record-call.ts'
import { keepRows, type SqliteField } from './results.ts'
import { settingsOf } from './statement-modes.ts'
import { orElse } from '../../../trace/or-else.ts'

type Method = (...args: readonly unknown[]) => unknown

/** A connection to a sandbox file, of the driver's class. */
interface Connection {
  prepare(sql: string, ...more: unknown[]): unknown
  exec(sql: string): unknown
  close(): unknown
}

const openings = new WeakMap<object, (file: string) => object>()
/** The transactions that sandbox connections are in, with the agent's numbers. */
const transactions = new WeakMap<Connection, number>()

/** Remembers how a database was opened. @param open Opens another file in the same way. */
export function knowOpening(database: object, open: (file: string) => object): void {
  openings.set(database, open)
}

/**
 * Executes SQL in the file that is a fork's sandbox.
 *
 * @returns The result as a step keeps it; a promise if the driver returns one. Throws, or rejects with, the driver's error.
 */
export function askSandbox({ run }: AnsweredScope, execution: Execution, input: SqliteInput): unknown {
  const { dialect, executor, method, args } = execution
  refuseOtherFiles(input.sql ?? '')
  const connection = connect(run.sandboxFile(dialect.label), databaseOf(executor))
  return askDatabase(() => {
    const begun = enterTransaction(connection, input)
    if (method === 'exec' || method === 'serialize')
      return then(begun, () => Reflect.apply(Reflect.get(connection, method) as Method, connection, args))
    return then(
      then(begun, () => prepare(connection, dialect, input.sql ?? sqlOfExecution(execution) ?? '')),
      (statement) => execute(statement as object, execution, input),
    )
  })
}

/** The columns of a statement in the sandbox of a fork; undefined without a sandbox or without rows. */
export function sandboxColumns(
  { run }: AnsweredScope,
  dialect: Dialect,
  database: object,
  sql: string,
): readonly SqliteField[] | undefined {
  const file = run.sandboxFile(dialect.label)
  if (file === undefined || dialect.isPromised) return undefined
  // An error in the statement is reported when it runs.
  return askDatabase(() =>
    orElse(() => keepRows([], columnsOf(prepare(connect(file, database), dialect, sql) as object)).fields, undefined),
  )
}

/** Prepares a statement in the sandbox of a fork, for a driver that returns a promise. */
export function prepareInSandbox({ run }: AnsweredScope, dialect: Dialect, database: object, sql: string): unknown {
  const connection = connect(run.sandboxFile(dialect.label), database)
  return then(
    askDatabase(() => prepare(connection, dialect, sql)),
    (statement) => ({ fields: keepRows([], columnsOf(statement as object)).fields }),
  )
}

function refuseOtherFiles(sql: string): void {
  if (otherFileOf(sql) !== undefined)
    throw new Error('A sandbox does not run ATTACH or VACUUM INTO with a file: it would reach a file outside the sandbox.')
}

/** Each of the agent's connections has its own sandbox connection, as transactions do. */
function connect(file: SandboxFile | undefined, database: object): Connection {
  if (file === undefined) throw new TypeError('there is no sandbox for this call')
  const open = openings.get(database) ?? ((path: string): object => Reflect.construct(database.constructor, [path]) as object)
  return knownOrMade(file.connections, database, () => askDatabase(() => open(file.path)) as Connection) as Connection
}

/** A fork may start inside a transaction whose beginning the sandbox has not executed. */
function enterTransaction(connection: Connection, { sql = '', transaction }: SqliteInput): unknown {
  const part = transactionPart(sql)
  const isNew = transaction !== undefined && transactions.get(connection) !== transaction
  if (transaction === undefined || part === 'ends') transactions.delete(connection)
  else transactions.set(connection, transaction)
  return isNew && part !== 'begins' ? connection.exec('BEGIN') : undefined
}

function prepare(connection: Connection, { label }: Dialect, sql: string): unknown {
  // better-sqlite3's `prepare` is native code. Source: better-sqlite3, lib/methods/wrappers.js.
  // Its third argument marks a pragma, which may be asked for rows whether it returns any or not.
  return label === 'better-sqlite3' ? connection.prepare(sql, connection, /^\s*pragma\b/i.test(sql), false) : connection.prepare(sql)
}

function execute(statement: object, { executor, method, args }: Execution, { after = 0 }: SqliteInput): unknown {
  const call = (name: string, given: readonly unknown[]): unknown => Reflect.apply(Reflect.get(statement, name) as Method, statement, given)
  for (const [name, given] of settingsOf(executor)) call(name, given)
  const [first, ...rest] = args
  const given = Array.isArray(first) && 'raw' in first ? rest : args
  const keep = (value: unknown): unknown => keepResult({ executor: statement, method: method === 'iterate' ? 'all' : method }, value)
  const result = call(method === 'iterate' ? 'all' : method, given)
  return then(result, (value) => keep(method === 'iterate' ? (value as readonly unknown[]).slice(after) : value))
}

/** Continues with a driver's result or its promise's value. */
function then(value: unknown, goOn: (value: unknown) => unknown): unknown {
  return isPromise(value) ? value.then(goOn) : goOn(value)
}
