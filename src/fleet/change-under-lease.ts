import type { Lease, TraceStore } from '../stores/trace-store.ts'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import { wait } from './storage/retry.ts'

/** How long the lease for changing indexes lasts if its holder dies, in milliseconds. */
export const INDEX_LEASE = 60_000

/** The store to change. */
type LeasedStore = Required<Pick<TraceStore, 'lease'>> & { readonly place: string }

/**
 * Changes the index of a store, one process at a time. The change has to read its starting point itself, since
 * another process may have changed the index before.
 *
 * @throws GoldenrunError if another process holds the lease for a minute.
 */
export async function changeUnderLease<Result>(store: LeasedStore, change: (lease: Lease) => Promise<Result>): Promise<Result> {
  for (let tried = 0; tried < 300; tried += 1) {
    const lease = await store.lease('index', INDEX_LEASE)
    if (lease === undefined) {
      await wait(200)
      continue
    }
    try {
      return await change(lease)
    } finally {
      await lease.release()
    }
  }
  throw new GoldenrunError(
    'GOLDENRUN_STORAGE',
    `${store.place}: another process has been changing the index for a minute. Try again later.`,
  )
}
