import { isTiered } from '../fleet/tiered-store.ts'
import { displayPath } from '../node/display-path.ts'
import { type NamedStore, toStore } from '../stores/default-store.ts'
import { CapabilityError } from '../stores/errors/capability-error.ts'
import { canFind, type FindingStore } from '../stores/every-run.ts'
import type { TraceStore } from '../stores/trace-store.ts'
import { underLease } from '../stores/under-lease.ts'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'

/** A store whose recordings a command changes, and its name in messages. */
export interface StoreTier {
  readonly store: FindingStore
  readonly place: string
}

/**
 * Returns the stores that recordings are in: both of a tiered one, because a run may be in either of them, and in both while it is moved.
 *
 * @param what The operation, for errors: `Cannot forget recordings`.
 * @param needs The capabilities that it needs, each as alternatives.
 * @throws CapabilityError that names a store without one of them.
 */
export function tiersOf(
  option: string | TraceStore,
  what: string,
  needs: readonly (readonly (keyof TraceStore)[])[],
): readonly StoreTier[] {
  const named = toStore(option)
  const { store } = named
  const stores = isTiered(store) ? [nameOf(store.hot, 'hot'), nameOf(store.cold, 'cold')] : [named]
  return stores.map(({ store: tier, place }) => {
    const missing = needs.find((names) => names.every((name) => tier[name] === undefined))?.[0]
    if (missing !== undefined) throw new CapabilityError(what, place, missing)
    if (!canFind(tier)) throw new CapabilityError(what, place, 'find')
    return { store: tier, place }
  })
}

function nameOf(store: TraceStore, tier: string): NamedStore {
  if ('directory' in store && typeof store.directory === 'string') return { store, place: displayPath(store.directory) }
  return { store, place: 'place' in store && typeof store.place === 'string' ? store.place : `the ${tier} store` }
}

/**
 * Changes a store while no other process removes recordings from it or moves them to a bucket: one of them could bring back what the
 * change takes out.
 *
 * @param change Resolves to undefined once `holds` has resolved to false.
 * @throws GoldenrunError if another process does either of them.
 */
export async function changeAlone<Result>(
  { store, place }: StoreTier,
  change: (holds: () => Promise<boolean>) => Promise<Result | undefined>,
): Promise<Result> {
  const done = await underLease(store, 'ship', (ships) =>
    underLease(store, 'retention', (removes) => change(async () => (await ships()) && (await removes()))),
  )
  if (done?.result?.result !== undefined) return done.result.result
  const doing = done === undefined ? 'moving recordings from' : 'changing'
  throw new GoldenrunError(
    'GOLDENRUN_STORE_BUSY',
    `Another process is ${doing} ${place}, or one on another machine died less than ten minutes ago. Run the same command again later.`,
  )
}
