import type { TraceStore } from '../trace-store.ts'
import type { SecretStore } from './secret-store.ts'

/**
 * A store that removes the secrets of a run before the run. If they cannot be removed, the run stays, and the next attempt finds both.
 */
export function removesSecrets<Store extends TraceStore>(store: Store, secrets: SecretStore): Store {
  const removing: Pick<TraceStore, 'remove' | 'removeMany'> = {
    ...(store.remove !== undefined && {
      remove: async (id: string) => {
        await secrets.remove(id)
        return (await store.remove?.(id)) ?? false
      },
    }),
    ...(store.removeMany !== undefined && {
      removeMany: async (ids: readonly string[]) => {
        for (const id of ids) await secrets.remove(id)
        return (await store.removeMany?.(ids)) ?? []
      },
    }),
  }
  return new Proxy(store, {
    get(target, key) {
      if (key === 'remove' || key === 'removeMany') return removing[key]
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}
