import type { TraceStore } from './trace-store.ts'

/** How long work may continue without a renewal before another process may take it over, in milliseconds. */
const LONGEST = 600_000

/** How often a lease is renewed, in milliseconds. */
const RENEWAL = 120_000

/**
 * Does work that only one process at a time may do in a store. A store without leases is assumed to have one user.
 *
 * @param name The name of the work: `retention`.
 * @param work Has to call `holds` now and then, and to stop when it resolves to false: another process has taken over.
 * @returns Undefined while another process does the work.
 */
export async function underLease<Result>(
  store: Pick<TraceStore, 'lease'>,
  name: string,
  work: (holds: () => Promise<boolean>) => Promise<Result>,
): Promise<{ readonly result: Result } | undefined> {
  if (store.lease === undefined) return { result: await work(async () => true) }
  const lease = await store.lease(name, LONGEST)
  if (lease === undefined) return undefined
  let renewed = Date.now()
  try {
    const result = await work(async () => {
      if (Date.now() - renewed < RENEWAL) return true
      renewed = Date.now()
      return lease.renew()
    })
    return { result }
  } finally {
    await lease.release()
  }
}
