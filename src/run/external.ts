import { callAsStep, dressAs } from './function-step.ts'

/**
 * Makes any other call to the world a step: a database query, a queue, a client that does not speak HTTP. Recorded with arguments and
 * result, answered from the trace on replay without running `body`. Outside a run it calls `body` and nothing else.
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

/**
 * Makes a step of every method call of a client (a database driver, Redis, a vector index): `wrapClient('orders', client).find(id)` is the
 * step `orders.find`. Properties that are not functions are passed through; a method of a nested object is `orders.items.find`.
 */
export function wrapClient<Client extends object>(name: string, client: Client): Client {
  const wrappers = new WeakMap<object, unknown>()
  return new Proxy(client, {
    get(target, key): unknown {
      const value: unknown = Reflect.get(target, key, target)
      if (typeof key === 'symbol' || !isWrappable(value)) return value
      const known = wrappers.get(value)
      if (known !== undefined) return known
      const path = `${name}.${key}`
      const wrapped = typeof value === 'function' ? external(path, (...args: unknown[]) => Reflect.apply(value, target, args)) : wrapClient(path, value)
      wrappers.set(value, wrapped)
      return wrapped
    },
  })
}

function isWrappable(value: unknown): value is object {
  if (typeof value === 'function') return true
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Promise)
}
