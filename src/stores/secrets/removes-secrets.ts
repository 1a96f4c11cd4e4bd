import type { TraceStore } from '../trace-store.ts'
import type { SecretStore } from './secret-store.ts'

/** Wraps a store so that it removes a run's secrets before the run. If they cannot be removed, the run stays, and the next attempt finds both. */
export function removesSecrets<Store extends TraceStore>(store: Store, secrets: SecretStore): Store {
  return new Proxy(store, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target)
      if (typeof value !== 'function') return value
      const method = value.bind(target) as (ids: string | readonly string[]) => unknown
      if (key !== 'remove' && key !== 'removeMany') return method
      return async (ids: string | readonly string[]) => {
        for (const id of [ids].flat()) await secrets.remove(id)
        return method(ids)
      }
    },
  })
}
