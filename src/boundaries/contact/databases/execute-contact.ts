import { isOwnDatabase } from '../../../node/load-sqlite.ts'
import { currentScope } from '../../../run/scope.ts'
import { databaseOf, fileOf, isAskingForFile, sqlOf } from '../../drivers/sqlite/known-statements.ts'
import { isFree, makeContact, type Refusal } from '../make-contact.ts'

/** A call of a method that executes SQL or does something else with a database. */
export interface Execution {
  /** A database, a statement, or another object of a driver that executes SQL. */
  readonly executor: object
  readonly args: readonly unknown[]
  /** The driver's name, used for a database whose file is unknown. */
  readonly driver: string
}

/**
 * Handles the SQL of a database in this process as a contact with the database's file. In-memory databases and goldenrun's own are not
 * contacts. Outside of every run, a guard lets harmless SQL pass.
 */
export function executeContact({ executor, args, driver }: Execution, go: () => unknown): unknown {
  if (isFree() || isAskingForFile()) return go()
  const database = databaseOf(executor)
  if (isOwnDatabase(database)) return go()
  const file = fileOf(database, driver)
  if (file === undefined || (currentScope() === undefined && isHarmless(sqlOf(executor, args) ?? 'unknown'))) return go()
  return makeContact(
    () => ({ door: 'database', host: file }),
    () => go(),
    (refusal) => refuse(refusal, args, executor),
  )
}

/** One statement that changes no row: it reads, configures the connection, delimits a transaction, or creates what already exists. */
const HARMLESS =
  /^(?:(?:select|values|explain|pragma|begin|commit|end|rollback|savepoint|release|attach|detach|analyze|set|show|describe)\b|create\b[^(]*\bif\s+not\s+exists\b|with\b(?!.*\b(?:insert|update|delete|replace|merge)\b))/is

/**
 * Whether SQL outside of every run is harmless: all of its statements read, or create what already exists. Decided by keywords; unknown
 * SQL is not harmless.
 */
function isHarmless(sql: string): boolean {
  const statements = sql
    .replace(/--[^\n]*|\/\*.*?\*\//gs, ' ')
    .split(';')
    .map((statement) => statement.trim())
  return statements.every((statement) => statement === '' || HARMLESS.test(statement))
}

/** Fails like the driver: through the callback if there is one, returning the object for chaining. */
function refuse({ error, later }: Refusal, args: readonly unknown[], executor: object): unknown {
  const callback = args.at(-1)
  if (typeof callback !== 'function') throw error
  later(() => callback.call(executor, error))
  return executor
}
