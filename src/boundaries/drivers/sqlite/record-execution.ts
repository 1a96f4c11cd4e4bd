import type { Scope } from '../../../run/scope.ts'
import { type Execution, toCall } from './execution.ts'
import { columnsOf, recordCall } from './record-call.ts'
import { recordIteration } from './record-iteration.ts'
import { keepChanges, keepRows } from './results.ts'

/** Makes SQL that is executed a step of a run that is recorded. @param go Executes it. */
export function recordExecution(scope: Scope, execution: Execution, go: () => unknown): unknown {
  if (execution.method === 'iterate') return recordIteration(scope, execution, go)
  return recordCall(scope, toCall(scope, execution), go, (given) => keepResult(execution, given))
}

/** What a method gave, as a step keeps it. */
export function keepResult({ executor, method }: Pick<Execution, 'executor' | 'method'>, given: unknown): unknown {
  if (method === 'run') return keepChanges(given)
  if (method === 'get') return keepRows(given === undefined ? [] : [given], columnsOf(executor))
  return method === 'all' ? keepRows(given as readonly unknown[], columnsOf(executor)) : given
}
