import { toDivergeAt } from './to-diverge-at.ts'
import { toReplayWithoutDivergence } from './to-replay-without-divergence.ts'
import { toRerunIdentically } from './to-rerun-identically.ts'
import { wholeRunMatchers, type MatcherTable } from './whole-run-matchers.ts'

/** Every matcher, by the name under which runners know it. */
export const matchers: MatcherTable & { readonly toRerunIdentically: typeof toRerunIdentically } = {
  toReplayWithoutDivergence,
  toDivergeAt,
  ...wholeRunMatchers,
  toRerunIdentically,
}
