import { isOwnDatabase } from '../../../node/own-databases.ts'
import { currentScope } from '../../../run/scope.ts'
import { isFree, makeContact, type Refusal } from '../make-contact.ts'
import { isHarmless } from './is-harmless.ts'
import { databaseOf, fileOf, isAskingForFile, sqlOf } from './known-statements.ts'

/** A call of a method that executes SQL. */
export interface Execution {
  /** A database, a statement, or another object of a driver that executes SQL. */
  readonly executor: object
  readonly args: readonly unknown[]
  /** The driver's name, for a database whose file is unknown. */
  readonly driver: string
}

/**
 * Handles SQL that a database in this process executes, as a contact with its file. In-memory databases and goldenrun's own are not
 * contacts. Outside of every run, harmless SQL passes a guard.
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

/** Fails like the driver: with a callback if there is one, returning the object for chaining. */
function refuse({ error, later }: Refusal, args: readonly unknown[], executor: object): unknown {
  const callback = args.at(-1)
  if (typeof callback !== 'function') throw error
  later(() => callback.call(executor, error))
  return executor
}
