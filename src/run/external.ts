import { callAsStep, dressAs } from './function-step.ts'

/**
 * Makes any other call to the outside world a step: a database query, a queue, a client that does not use HTTP. It is recorded with
 * arguments and result, and answered from the trace on replay without running `body`. Outside of a run, it just calls `body`.
 *
 * @example
 * const findOrder = external('orders.find', (id: string) => database.orders.find(id))
 */
export function external<Args extends unknown[], Result>(name: string, body: (...args: Args) => Result): (...args: Args) => Result {
  const step = { boundary: 'external', name } as const
  const wrapper = function (this: unknown, ...args: Args): Result {
    return callAsStep(step, args, () => Reflect.apply(body, this, args)) as Result
  }
  return dressAs(wrapper, body)
}
