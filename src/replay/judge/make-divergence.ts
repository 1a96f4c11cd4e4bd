import type { Cause, Divergence } from '../../divergence/divergence.ts'
import { siteOf, type Trail } from '../../run/call-site.ts'

/** The fields of a divergence; those that do not apply to its cause are left out. */
export interface DivergenceFields extends Partial<Omit<Divergence, 'site' | 'step' | 'position' | 'cause' | 'consequence'>> {
  readonly step: number
  readonly position: Divergence['position']
  /** The stack of the call. */
  readonly site?: Trail | undefined
}

export function makeDivergence(cause: Cause, { site, ...fields }: DivergenceFields): Divergence {
  const place = site && siteOf(site)
  return { parts: [], differences: [], nearest: [], ...fields, cause, ...(place && { site: place }), consequence: false }
}
