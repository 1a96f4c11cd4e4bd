import type { IndexedRun } from './indexed-run.ts'

/** Returns the identity of an index entry: a run that is being moved has two entries. */
export function entryOf({ summary, place }: IndexedRun): string {
  return `${place.pack}\n${summary.id}`
}

/**
 * Divides entries into those to keep, the oldest first, and those to remove. If a run has several entries, only one is kept: of those whose packs are
 * there, the one with the most flags. A process that was killed while it rewrote a pack leaves entries of a pack that it had already removed.
 *
 * @param packs The packs that are there.
 */
export function divide(
  entries: readonly IndexedRun[],
  removed: ReadonlySet<string>,
  packs: ReadonlySet<string>,
): { readonly left: readonly IndexedRun[]; readonly gone: readonly IndexedRun[] } {
  const rank = ({ place }: IndexedRun): number => (packs.has(place.pack) ? 1 + (place.flags?.length ?? 0) : 0)
  const gone = entries.filter((run) => removed.has(entryOf(run)))
  const left = new Map<string, IndexedRun>()
  for (const run of entries) {
    if (removed.has(entryOf(run))) continue
    const other = left.get(run.summary.id)
    const [kept, superseded] = other === undefined || rank(other) <= rank(run) ? [run, other] : [other, run]
    left.set(run.summary.id, kept)
    if (superseded !== undefined) gone.push(superseded)
  }
  return { left: [...left.values()].toSorted((one, other) => (one.summary.id < other.summary.id ? -1 : 1)), gone }
}
