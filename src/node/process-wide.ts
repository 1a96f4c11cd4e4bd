import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Returns a value that all copies of the package in a process share: a test runner may load one copy for the agent and another for the test,
 * and both have to refer to the same run. It is kept on one of Node's own classes, not on `globalThis`: a preload and a test in a `node:vm`
 * context (Vitest's vm pools, Jest) have a `globalThis` each.
 */
export function processWide<Value extends object>(name: string, create: () => Value): Value {
  const key = Symbol.for(`goldenrun.${name}`)
  const existing: unknown = Reflect.get(AsyncLocalStorage, key)
  if (typeof existing === 'object' && existing !== null) return existing as Value
  const value = create()
  Object.defineProperty(AsyncLocalStorage, key, { value, configurable: true })
  return value
}
