import type { FieldDifference } from '../../divergence/divergence.ts'
import type { RunDraws } from './draws/run-draws.ts'

/** Marks the fields that differ in nothing but what was drawn from clock and chance; those whose draws are known to correspond are no differences. */
export function markDrawn(differences: readonly FieldDifference[], draws: RunDraws): FieldDifference[] {
  return differences.flatMap((difference): FieldDifference[] => {
    const [expected, received] = [JSON.stringify(difference.expected), JSON.stringify(difference.received)]
    if (expected === undefined || received === undefined || expected === received) return [difference]
    if (draws.areKnown(expected, received)) return []
    return [draws.areDrawn(expected, received) ? { ...difference, drawn: true } : difference]
  })
}
