import { types } from 'node:util'
import type { Scope } from '../../../run/scope.ts'
import { Arrival } from '../../arrival.ts'
import { callAtOnce, type DriverCall } from '../driver-call.ts'
import type { Execution } from './execution.ts'
import { askDatabase } from './known-statements.ts'
import { keepChanges, keepRows } from './results.ts'
import { orElse } from '../../../trace/or-else.ts'

/** Makes a driver call, synchronous or not, a step and returns its result. @param keep Returns the answer as a trace keeps it. */
export function recordCall(scope: Scope, call: DriverCall, go: () => unknown, keep: (given: unknown) => unknown): unknown {
  let given: unknown
  // A recording must not disturb the agent: the step keeps what it can.
  const kept = (value: unknown): unknown => orElse(() => keep(value), value)
  callAtOnce(scope, call, () => {
    given = go()
    if (!types.isPromise(given)) return kept(given)
    const arrival = new Arrival()
    given = given.then(
      (value: unknown) => {
        arrival.settle(kept(value))
        return value
      },
      (error: unknown) => {
        arrival.fail(error)
        throw error
      },
    )
    return arrival
  })
  return given
}

/** Makes a driver's error a step, and throws it. */
export function recordFailure(scope: Scope, call: DriverCall, error: unknown): never {
  callAtOnce(scope, call, () => {
    throw error
  })
  throw error
}

/** The result of a method, as a step keeps it. */
export function keepResult({ executor, method }: Pick<Execution, 'executor' | 'method'>, given: unknown): unknown {
  if (method === 'run') return keepChanges(given)
  if (method === 'get') return keepRows(given === undefined ? [] : [given], columnsOf(executor))
  return method === 'all' ? keepRows(given as readonly unknown[], columnsOf(executor)) : given
}

/** The columns of a statement, as its driver describes them; undefined if it does not. */
export function columnsOf(statement: object): readonly unknown[] | undefined {
  const columns: unknown = Reflect.get(statement, 'columns')
  if (typeof columns !== 'function') return undefined
  try {
    const described: unknown = askDatabase(() => Reflect.apply(columns, statement, []) as unknown)
    return Array.isArray(described) ? described : undefined
  } catch {
    // The statement returns no rows.
    return undefined
  }
}
