import { isPromise } from 'node:util/types'
import { isOwnDatabase } from '../../../node/load-sqlite.ts'
import { type AnsweredScope, currentScope, isAnswered, runBelow, type Scope } from '../../../run/scope.ts'
import type { DriverCall } from '../driver-call.ts'
import { askTrace } from './ask-trace.ts'
import type { Dialect } from './sqlite-dialect.ts'
import { isProbe } from './execution.ts'
import { askDatabase, fileOf, isAbsent, isAskingForFile, knowStatement, pathOf } from './known-statements.ts'
import { isControl } from './mirror-transaction.ts'
import { columnsOf, recordCall, recordFailure } from './record-call.ts'
import { keepRows } from './results.ts'
import { doubleStatement } from './statement-double.ts'
import { prepareInSandbox } from './sandbox.ts'
import { startModes } from './statement-modes.ts'

/** SQL to prepare. */
export interface Preparation {
  readonly dialect: Dialect
  readonly database: object
  /** The SQL, and for better-sqlite3 the agent's own database object. */
  readonly args: readonly unknown[]
  /** The driver's class of statements, once it is known. */
  readonly known: { prototype: object | undefined }
  /** Notified of each real statement. */
  meet(statement: object): void
  /** Prepares it. */
  go(): unknown
}

/**
 * Prepares a statement. In a replay no database has its tables, so it is not prepared: it is answered when it is executed. Preparing is a step
 * if it returns a promise; otherwise only a failure is.
 */
export function prepareStatement(preparation: Preparation): unknown {
  const { dialect, database, args, known, go } = preparation
  if (isAskingForFile()) return go()
  const scope = currentScope()
  const [sql] = args
  const isOwn = typeof sql !== 'string' || isProbe(sql) || isOwnDatabase(database) || fileOf(database, dialect.driver) === undefined
  if (scope === undefined && !isOwn && isAbsent(database)) return prepareAbsent(preparation)
  if (scope === undefined || isOwn) return knowPrepared(preparation, go())
  const path = pathOf(database) === undefined ? {} : { database: fileOf(database, '') }
  const call: DriverCall = { name: `${dialect.label} prepare`, effect: 'read', input: { sql, ...path } }
  if (!isAnswered(scope)) return dialect.isPromised ? recordPromise(scope, preparation, call) : recordAtOnce(scope, preparation, call)
  if (!dialect.isPromised && (isControl(sql) || known.prototype === undefined)) return knowPrepared(preparation, runBelow(scope, {}, go))
  return answerPrepare(scope, preparation, call)
}

/** Outside of every run: tables that the program created in memory exist; all others are those of the trace. */
function prepareAbsent(preparation: Preparation): unknown {
  try {
    return knowPrepared(preparation, preparation.go())
  } catch {
    return double(preparation)
  }
}

function double(preparation: Preparation): object {
  const { dialect, database, args, known, go } = preparation
  const [sql, given] = args as readonly [string, unknown]
  const prepare = (): unknown => knowPrepared(preparation, askDatabase(go))
  return doubleStatement({ dialect, prototype: known.prototype ?? Object.prototype, database, given, sql, prepare })
}

function answerPrepare(scope: AnsweredScope, preparation: Preparation, call: DriverCall): unknown {
  const { dialect, database } = preparation
  const ask = (): unknown =>
    askTrace(scope, { dialect, executor: database }, call, () => prepareInSandbox(scope, dialect, database, String(preparation.args[0])))
  if (dialect.isPromised) return new Promise((resolve) => resolve(ask())).then(() => double(preparation))
  if (scope.run.recorded.find(call.name, call.input as Readonly<Record<string, unknown>>, 'untaken')?.hasFailed === true) ask()
  return double(preparation)
}

function recordPromise(scope: Scope, preparation: Preparation, call: DriverCall): unknown {
  return recordCall(
    scope,
    call,
    () => knowPrepared(preparation, preparation.go()),
    (statement) => {
      const { fields } = keepRows([], columnsOf(statement as object))
      return { fields }
    },
  )
}

function recordAtOnce(scope: Scope, preparation: Preparation, call: DriverCall): unknown {
  try {
    return knowPrepared(preparation, runBelow(scope, {}, preparation.go))
  } catch (error) {
    return recordFailure(scope, call, error)
  }
}

/** Before the caller's own reaction. */
function knowPrepared(preparation: Preparation, made: unknown): unknown {
  if (!isPromise(made)) return know(preparation, made)
  return made.then((statement: unknown) => know(preparation, statement))
}

function know({ database, args, known, meet }: Preparation, statement: unknown): unknown {
  if (typeof statement !== 'object' || statement === null) return statement
  knowStatement(statement, database, args[0])
  startModes(statement)
  known.prototype ??= Object.getPrototypeOf(statement) as object
  meet(statement)
  return statement
}
