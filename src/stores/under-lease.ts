import type { TraceStore } from './trace-store.ts'

/** How long work may go on without a renewal before another process may take it over, in milliseconds. */
const LONGEST = 600_000

/** How often a lease is renewed, in milliseconds. */
const RENEWAL = 120_000

/**
 * Does work that one process at a time does in a store. A store without leases is trusted to be used by one.
 *
 * @param name What the work is: `retention`.
 * @param work `holds` has to be asked now and then, and the work to stop where it resolves to false: another process has taken it over.
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
