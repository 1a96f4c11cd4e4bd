import { knownOrMade } from '../trace/remember.ts'
import { everyRun, type FindingStore } from './every-run.ts'
import type { EffectRun, RepeatedEffect, RunEffect, RunQuery, RunSummary } from './run-summary.ts'
import { termOfEffect } from './run-terms.ts'
import type { FoundEffects } from './trace-store.ts'

/** The most runs that are listed for one side effect. */
export const MOST_RUNS = 100

/**
 * Finds side effects that several runs made, in any store that can find runs. Uses the store's own index if it has one.
 * Otherwise reads all summaries twice, so that memory does not grow with the number of runs.
 */
export async function findRepeatedEffects(
  store: FindingStore,
  query: RunQuery,
  onReading?: (read: number, of: number) => void,
): Promise<FoundEffects> {
  if (store.findRepeatedEffects !== undefined) return store.findRepeatedEffects(query, onReading)
  const { limit = Infinity, ...filters } = query
  const seen = new SeenTerms()
  for await (const run of everyRun(store, filters, { onReading })) for (const term of termsOfEffects(run)) seen.add(term)
  const runs: RunSummary[] = []
  for await (const run of everyRun(store, { ...filters, indexedOnly: true }))
    if (termsOfEffects(run).some((term) => seen.isRepeated(term))) runs.push(run)
  return { effects: repeatedAmong(runs).slice(0, limit), unreadable: [] }
}

/**
 * Finds side effects that several of the given runs made, the most recently repeated first.
 *
 * @param runs The newest first.
 */
export function repeatedAmong(runs: readonly RunSummary[]): RepeatedEffect[] {
  const byTerm = new Map<string, RunSummary[]>()
  for (const run of runs)
    for (const term of termsOfEffects(run)) {
      const found = knownOrMade(byTerm, term, () => [])
      if (found.length < MOST_RUNS) found.push(run)
    }
  return [...byTerm].flatMap(([term, found]) => groupEffects(term, found)).toSorted(byNewest)
}

function termsOfEffects({ effects = [] }: RunSummary): string[] {
  return [...new Set(effects.map(termOfEffect))]
}

/**
 * Returns the side effects of one term that several of the runs made. The same idempotency key may belong to several side effects.
 *
 * @param runs The newest first.
 */
export function groupEffects(term: string, runs: readonly RunSummary[]): RepeatedEffect[] {
  const made = runs
    .toReversed()
    .flatMap((run) => (run.effects ?? []).filter((effect) => termOfEffect(effect) === term).map((effect) => ({ run, effect })))
  return [...Map.groupBy(made, ({ effect }) => effect.name)].flatMap(([name, group]): RepeatedEffect[] => {
    const [first] = group
    if (first === undefined || new Set(group.map(({ run }) => run.id)).size < 2) return []
    const { key } = first.effect
    return [{ effect: name, ...(key === undefined ? {} : { key }), runs: group.map(({ run, effect }) => toEffectRun(run, effect)) }]
  })
}

/** Compares side effects: the most recently repeated one comes first. */
function byNewest(a: RepeatedEffect, b: RepeatedEffect): number {
  return (b.runs.at(-1)?.at ?? '').localeCompare(a.runs.at(-1)?.at ?? '')
}

function toEffectRun({ id, agent, agentVersion, startedAt }: RunSummary, { step, at }: RunEffect): EffectRun {
  const time = new Date(Date.parse(startedAt) + at).toISOString()
  return { id, agent, ...(agentVersion === undefined ? {} : { agentVersion }), at: time, step }
}

/** The number of bit positions that terms are hashed to. The second reading separates terms that share one by chance. */
const PLACES = 2 ** 26

/** Records which terms occurred, and which occurred again, in 16 MB regardless of their number. */
class SeenTerms {
  readonly #once = new Uint8Array(PLACES / 8)
  readonly #again = new Uint8Array(PLACES / 8)

  add(term: string): void {
    const [at, bit] = placeOf(term)
    if (((this.#once[at] ?? 0) & bit) !== 0) this.#again[at] = (this.#again[at] ?? 0) | bit
    this.#once[at] = (this.#once[at] ?? 0) | bit
  }

  isRepeated(term: string): boolean {
    const [at, bit] = placeOf(term)
    return ((this.#again[at] ?? 0) & bit) !== 0
  }
}

/** @see http://www.isthe.com/chongo/tech/comp/fnv/ (FNV-1a) */
function placeOf(term: string): readonly [at: number, bit: number] {
  let hash = 0x811c9dc5
  for (let index = 0; index < term.length; index += 1) hash = Math.imul(hash ^ term.charCodeAt(index), 0x01000193)
  const place = (hash >>> 0) % PLACES
  return [place >>> 3, 1 << (place & 7)]
}
