import type { TraceStore } from '../stores/trace-store.ts'

/** A bucket rewrites an hour's index each time runs of that hour are removed. */
const REMOVED_AT_ONCE = 10_000

/** Removes recordings. Returns false if another process took over. */
export async function removeRecordings(store: TraceStore, ids: readonly string[], holds: () => Promise<boolean>): Promise<boolean> {
  for (let start = 0; start < ids.length; start += REMOVED_AT_ONCE) {
    if (!(await holds())) return false
    const some = ids.slice(start, start + REMOVED_AT_ONCE)
    if (store.removeMany === undefined) for (const id of some) await store.remove?.(id)
    else await store.removeMany(some)
  }
  return true
}
