import { firstNotBefore } from '../trace/first-not-before.ts'
import type { ListQuery, TraceStore } from './trace-store.ts'

/**
 * Lists the ids that match a query: the oldest first, or with `newest` the newest first. If the store cannot narrow a listing and returns all ids,
 * they are narrowed here.
 */
export async function listIds(store: Pick<TraceStore, 'list'>, query: ListQuery): Promise<string[]> {
  return selectIds(await store.list(query), query)
}

/** Selects the ids that match a query, each once. Sorts no more of them than needed. */
export function selectIds(ids: Iterable<string>, { prefix = '', newest, limit = Infinity }: ListQuery): string[] {
  const isBefore = newest === true ? (one: string, other: string) => one > other : (one: string, other: string) => one < other
  const matching = new Set<string>()
  for (const id of ids) if (id.startsWith(prefix)) matching.add(id)
  if (matching.size <= limit) return [...matching].toSorted((one, other) => (isBefore(one, other) ? -1 : 1))
  const first: string[] = []
  for (const id of matching) {
    const last = first.at(-1)
    if (first.length >= limit && (last === undefined || !isBefore(id, last))) continue
    const place = firstNotBefore(first, (other) => isBefore(other, id))
    first.splice(place, 0, id)
    if (first.length > limit) first.pop()
  }
  return first
}
