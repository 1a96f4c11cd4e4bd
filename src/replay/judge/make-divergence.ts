import type { Cause, Divergence } from '../../divergence/divergence.ts'
import { siteOf, type Trail } from '../../run/call-site.ts'

/** What is said of a divergence: what a cause has nothing to say of is left out. */
export interface DivergenceFields extends Partial<Omit<Divergence, 'site' | 'step' | 'position' | 'cause' | 'consequence'>> {
  readonly step: number
  readonly position: Divergence['position']
  /** Its stack says where. */
  readonly site?: Trail | undefined
}

export function makeDivergence(cause: Cause, { site, ...fields }: DivergenceFields): Divergence {
  const place = site && siteOf(site)
  return { parts: [], differences: [], nearest: [], ...fields, cause, ...(place && { site: place }), consequence: false }
}
