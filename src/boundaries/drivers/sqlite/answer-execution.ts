import type { AnsweredScope } from '../../../run/scope.ts'
import { types } from 'node:util'
import { describeSql } from '../sql.ts'
import { answerIteration } from './answer-iteration.ts'
import type { Dialect } from './sqlite-dialect.ts'
import { askTrace, refuseExecution } from './ask-trace.ts'
import { type Execution, type SqliteInput, sqlOfExecution, toCall } from './execution.ts'
import { askSandbox } from './sandbox.ts'
import { databaseOf, isClosed } from './known-statements.ts'
import { isControl, mirrorFailure, mirrorTransaction } from './mirror-transaction.ts'
import { reviveChanges, reviveRows, type SqliteOutput } from './results.ts'
import { formOf } from './statement-modes.ts'

const promisedMethods: ReadonlySet<string> = new Set(['exec', 'all', 'iterate'])

/** Answers SQL from the trace, without a real database. @param go Executes it in the database in memory. */
export function answerExecution(scope: AnsweredScope, execution: Execution, go: () => unknown): unknown {
  const { dialect, method } = execution
  const isPromised = dialect.isPromised && promisedMethods.has(method)
  const answer = (): unknown => {
    if (failsByItself(scope, execution)) return go()
    if (method === 'iterate') return answerIteration(scope, execution)
    const call = toCall(scope, execution)
    const give = (value: unknown): unknown => finish(scope, execution, call.input, value)
    const fail = (error: unknown): unknown => failed(scope, execution, call.input, error)
    const output = attempt(() => askTrace(scope, execution, call, () => askSandbox(scope, execution, call.input)), fail)
    return types.isPromise(output) ? output.then(give, fail) : give(output)
  }
  return isPromised ? new Promise((resolve) => resolve(answer())) : answer()
}

function attempt(body: () => unknown, onError: (error: unknown) => unknown): unknown {
  try {
    return body()
  } catch (error) {
    return onError(error)
  }
}

/**
 * Whether the database is closed, so that the driver itself fails. If the recorded call failed, the trace has its error. A prepared statement
 * of libsql works after its database was closed.
 */
function failsByItself({ run }: AnsweredScope, execution: Execution): boolean {
  if (execution.dialect.label === 'libsql' || !isClosed(databaseOf(execution.executor))) return false
  const sql = sqlOfExecution(execution) ?? ''
  return run.recorded.find(`${execution.dialect.label} ${describeSql(sql).verb}`, { sql }, 'untaken')?.hasFailed !== true
}

function finish(scope: AnsweredScope, execution: Execution, { sql }: SqliteInput, output: unknown): unknown {
  const { dialect, executor, method } = execution
  const mirrored =
    sql !== undefined && (method === 'exec' || isControl(sql)) ? mirrorTransaction(scope.run, databaseOf(executor), sql) : undefined
  const result = revive(scope, execution, output)
  return behind(scope, dialect, mirrored, () => result)
}

function failed(scope: AnsweredScope, { dialect, executor }: Execution, { sql = '' }: SqliteInput, error: unknown): unknown {
  return behind(scope, dialect, mirrorFailure(databaseOf(executor), sql, error), () => {
    throw error
  })
}

/** Continues once the transaction is delimited on the connection as well. */
function behind({ run }: AnsweredScope, { isPromised }: Dialect, mirrored: unknown, goOn: () => unknown): unknown {
  if (!types.isPromise(mirrored) || !isPromised) return goOn()
  const release = run.busy()
  return mirrored.then(() => {
    release()
    return goOn()
  })
}

function revive(scope: AnsweredScope, execution: Execution, output: unknown): unknown {
  const { dialect, executor, method } = execution
  if (method === 'run') return reviveChanges(output)
  if (method !== 'get' && method !== 'all') return output
  const rows = reviveRows(dialect, output as SqliteOutput, formOf(dialect, executor, method))
  // The recorded form of the rows cannot be converted to this one.
  if (rows === undefined) throw refuseExecution(scope, execution)
  return method === 'all' ? rows : rows[0]
}
