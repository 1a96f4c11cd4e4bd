import type { Lease } from '../stores/trace-store.ts'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import { takeLease } from './object-lease.ts'
import type { ObjectStorage } from './storage/object-storage.ts'
import { wait } from './storage/retry.ts'

/** How long the lease for changing indexes lasts if its holder dies, in milliseconds. */
export const INDEX_LEASE = 60_000

/**
 * Changes the index of a storage, one process at a time. The change has to read its starting point itself, since
 * another process may have changed the index before.
 *
 * @throws GoldenrunError if another process holds the lease for a minute. The reason of `storage.abandoned`, if it is aborted meanwhile.
 */
export async function changeUnderLease<Result>(storage: ObjectStorage, change: (lease: Lease) => Promise<Result>): Promise<Result> {
  const { abandoned } = storage
  for (let tried = 0; tried < 300 && !abandoned.aborted; tried += 1) {
    const lease = await takeLease(storage, 'index', INDEX_LEASE)
    if (lease === undefined) {
      await wait(200, abandoned)
      continue
    }
    try {
      return await change(lease)
    } finally {
      await lease.release()
    }
  }
  abandoned.throwIfAborted()
  throw new GoldenrunError(
    'GOLDENRUN_STORAGE',
    `${storage.place}: another process has been changing the index for a minute. Try again later.`,
  )
}
