import { inspect } from 'node:util'
import { runOutside } from '../run/scope.ts'
import type { TraceStore, TraceWriter } from '../stores/trace-store.ts'

/**
 * Wraps a store so that recorders call it outside every run. Otherwise the store's own requests, timers and draws would belong to the run, be
 * recorded, and be handed to the store again.
 */
export function outsideRuns<Store extends TraceStore>(store: Store): Store {
  return calledOutside(store, (key, result) => (key === 'open' ? calledOutside(checkWriter(result)) : result))
}

/** @throws TypeError that names the store's mistake. */
function checkWriter(opened: unknown): TraceWriter {
  // For a promise, the code that calls the store reports that the store has to return synchronously.
  if (opened instanceof Promise) return opened as unknown as TraceWriter
  const expected = 'has to return a writer: { write, flush, close }'
  if (typeof opened !== 'object' || opened === null) {
    throw new TypeError(`"open" of the store returned ${opened === undefined ? 'nothing' : inspect(opened)}, but ${expected}`)
  }
  for (const name of ['write', 'flush', 'close'] as const) {
    if (typeof Reflect.get(opened, name) !== 'function') {
      throw new TypeError(`"open" of the store returned an object without the method "${name}", but ${expected}`)
    }
  }
  return opened as TraceWriter
}

/** Returns the same object, except that its methods are called outside every run, on the object itself. */
function calledOutside<Called extends object>(called: Called, adapt = (_key: PropertyKey, result: unknown): unknown => result): Called {
  const methods = new Map<PropertyKey, { readonly of: unknown; readonly method: unknown }>()
  return new Proxy(called, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target)
      if (typeof value !== 'function') return value
      const known = methods.get(key)
      if (known?.of === value) return known.method
      const method = (...args: unknown[]): unknown =>
        adapt(
          key,
          runOutside(() => Reflect.apply(value, target, args) as unknown),
        )
      methods.set(key, { of: value, method })
      return method
    },
  })
}
