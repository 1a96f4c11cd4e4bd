import { isOwnDatabase } from '../../../node/own-databases.ts'
import { currentScope } from '../../../run/scope.ts'
import { isFree, makeContact, type Refusal } from '../make-contact.ts'
import { isHarmless } from './is-harmless.ts'
import { databaseOf, fileOf, isAskingForFile, sqlOf } from './known-statements.ts'

/** A call of a method that executes SQL. */
export interface Execution {
  /** A database, a statement, or what else of a driver executes SQL. */
  readonly executor: object
  readonly args: readonly unknown[]
  /** The driver's name, for a database that does not tell its file. */
  readonly driver: string
}

/**
 * What becomes of SQL that a database in this process executes: a contact with its file. One that is in memory is no world of its own, and
 * goldenrun's own is nobody's. Outside of every run, what can do no harm goes through a guard.
 */
export function execute<Result>({ executor, args, driver }: Execution, go: () => Result): Result {
  if (isFree() || isAskingForFile()) return go()
  const database = databaseOf(executor)
  if (isOwnDatabase(database)) return go()
  const file = fileOf(database, driver)
  if (file === undefined || (currentScope() === undefined && isHarmless(sqlOf(executor, args) ?? 'unknown'))) return go()
  return makeContact(
    () => ({ door: 'database', host: file }),
    () => go(),
    (refusal) => refuse(refusal, args, executor) as Result,
  )
}

/** As drivers fail: those that are given a callback call it, with themselves to go on with. */
function refuse({ error, later }: Refusal, args: readonly unknown[], executor: object): unknown {
  const callback = args.at(-1)
  if (typeof callback !== 'function') throw error
  later(() => callback.call(executor, error))
  return executor
}
