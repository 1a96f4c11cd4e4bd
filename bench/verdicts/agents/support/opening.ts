import { BELL_TRIES, SLOT_TRIES } from './config.ts'
import type { Lookups } from './lookups.ts'
import { retry } from './retry.ts'

/** What the desk knows before the customer speaks. */
export interface Opening {
  readonly shop: string
  readonly hours: string
  readonly notices: string
  readonly limits: string
  readonly colleagues: string
  /** Null if the desk got none. */
  readonly slot: string | null
}

/** Opens the desk: two lookups one after the other, three at once, and two calls that may need a retry. */
export async function openDesk(domain: string, lookups: Lookups): Promise<Opening> {
  const shop = await lookups.getShop({ domain })
  const hours = await lookups.getHours({ domain, day: 'weekday' })
  const [notices, limits, colleagues] = await Promise.all([
    lookups.listNotices({ domain, kind: 'public' }),
    lookups.getLimits({ domain, most: 5 }),
    lookups.countAgents({ domain }),
  ])
  const slot = await retry(SLOT_TRIES, () => lookups.reserveSlot({ domain, minutes: 30, urgent: false }))
  await retry(BELL_TRIES, () => lookups.ringBell({ domain }))
  return { shop, hours, notices, limits, colleagues, slot }
}
