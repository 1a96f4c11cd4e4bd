import { types } from 'node:util'
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
 * step `orders.find`; a method of a nested object is `orders.items.find`. Classes, plain values and builtin objects (dates, maps, bytes) are
 * passed through as they are.
 */
export function wrapClient<Client extends object>(name: string, client: Client): Client {
  const wrappers = new Map<string, { readonly value: object; readonly wrapped: unknown }>()
  // A proxy has to show locked properties of its target as they are, so a frozen client is stood for by a copy that is not locked.
  return new Proxy(Object.isFrozen(client) ? unlockedCopy(client) : client, {
    get(_target, key): unknown {
      const value: unknown = Reflect.get(client, key, client)
      if (typeof key === 'symbol' || key === 'constructor' || !isWrappable(value)) return value
      const known = wrappers.get(key)
      if (known?.value === value) return known.wrapped
      const path = `${name}.${key}`
      const wrapped =
        typeof value === 'function' ? external(path, (...args: unknown[]) => Reflect.apply(value, client, args)) : wrapClient(path, value)
      wrappers.set(key, { value, wrapped })
      return wrapped
    },
    set: (_target, key, value) => Reflect.set(client, key, value, client),
  })
}

function isWrappable(value: unknown): value is object {
  if (typeof value === 'function') return !isClass(value)
  return typeof value === 'object' && value !== null && !isBuiltin(value)
}

function isClass(value: object): boolean {
  return /^class\b/.test(Function.prototype.toString.call(value))
}

function isBuiltin(value: object): boolean {
  if (Array.isArray(value) || ArrayBuffer.isView(value) || value instanceof URL) return true
  const { isAnyArrayBuffer, isDate, isMap, isNativeError, isPromise, isRegExp, isSet, isWeakMap, isWeakSet } = types
  return [isAnyArrayBuffer, isDate, isMap, isNativeError, isPromise, isRegExp, isSet, isWeakMap, isWeakSet].some((is) => is(value))
}

function unlockedCopy<Client extends object>(client: Client): Client {
  const properties = Object.entries(Object.getOwnPropertyDescriptors(client)).map(([key, descriptor]) => [
    key,
    { ...descriptor, configurable: true },
  ])
  return Object.create(Object.getPrototypeOf(client), Object.fromEntries(properties))
}
