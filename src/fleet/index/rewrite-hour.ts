import { inParallel } from '../in-parallel.ts'
import { compactedName, isCompacted, keyOf, partsOf, prefixOf } from '../object-keys.ts'
import { storeContent } from '../store-content.ts'
import type { ObjectStorage } from '../storage/object-storage.ts'
import type { IndexObject } from './fleet-index.ts'
import { GROUP, writeIndex } from './index-file.ts'
import type { IndexedRun } from './indexed-run.ts'
import { ENTRY, writeTermMap } from './term-map.ts'

/**
 * Replaces all indexes of an hour with one index and one map of terms. The old ones are removed after the new ones are stored, so that
 * a kill in between leaves a run in two indexes, never in none. The caller holds the lease `index`.
 *
 * @param objects The old indexes, of one class and hour.
 * @param runs The runs of the new index, the oldest first.
 * @param onStored Called between storing and removing.
 */
export async function rewriteHour(
  storage: ObjectStorage,
  objects: readonly IndexObject[],
  runs: readonly IndexedRun[],
  onStored: () => Promise<void>,
): Promise<void> {
  const [first] = objects
  if (first === undefined) return onStored()
  const { className, hour } = first
  const kept = runs.length === 0 ? undefined : await store(storage, className, hour, runs)
  await onStored()
  await inParallel(
    objects.filter(({ name }) => name !== kept),
    16,
    async ({ key, name }) => {
      await storage.delete(key)
      if (isCompacted(name)) await storage.delete(keyOf(className, 'terms', hour, name))
    },
  )
}

async function store(storage: ObjectStorage, className: string, hour: string, runs: readonly IndexedRun[]): Promise<string> {
  const bytes = await writeIndex(runs)
  const groups = Array.from({ length: Math.ceil(runs.length / GROUP) }, (_, group) =>
    runs.slice(group * GROUP, (group + 1) * GROUP).map(({ summary }) => summary),
  )
  const terms = writeTermMap(groups)
  const name = compactedName(bytes, terms.length / ENTRY)
  // The map comes first: an index without a map cannot be searched by terms.
  await storeContent(storage, keyOf(className, 'terms', hour, name), terms)
  await storeContent(storage, keyOf(className, 'index', hour, name), bytes)
  return name
}

/** Returns the packs of an hour. */
export async function packsOf(storage: ObjectStorage, className: string, hour: string): Promise<readonly string[]> {
  const prefix = keyOf(className, 'packs', hour, '').replace(/\/[^/]*$/, '/')
  const pages = await Array.fromAsync(storage.list({ prefix }))
  return pages.flat().flatMap(({ key }) => (partsOf(key) === undefined ? [] : [key]))
}

/** Returns the hours that have packs. */
export async function hoursWithPacks(storage: ObjectStorage, className: string): Promise<ReadonlySet<string>> {
  const hours = new Set<string>()
  for await (const page of storage.list({ prefix: prefixOf(className, 'packs') }))
    for (const { key } of page) hours.add(partsOf(key)?.hour ?? '')
  hours.delete('')
  return hours
}
