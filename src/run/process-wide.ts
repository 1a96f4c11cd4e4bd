/**
 * A value that all copies of the package in a process share: a test runner may load one copy for the agent and another for the test, and
 * both have to mean the same run.
 */
export function processWide<Value extends object>(name: string, create: () => Value): Value {
  const key = Symbol.for(`goldenrun.${name}`)
  const existing: unknown = Reflect.get(globalThis, key)
  if (typeof existing === 'object' && existing !== null) return existing as Value
  const value = create()
  Object.defineProperty(globalThis, key, { value, configurable: true })
  return value
}
