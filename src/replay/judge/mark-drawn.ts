import type { FieldDifference } from '../../divergence/divergence.ts'
import type { RunDraws } from './draws/run-draws.ts'

/**
 * Marks the fields that differ only in values read from the clock and random sources. Fields with corresponding draws are not differences.
 */
export function markDrawn(differences: readonly FieldDifference[], draws: RunDraws): FieldDifference[] {
  return differences.flatMap((difference): FieldDifference[] => {
    const [expected, received] = [JSON.stringify(difference.expected), JSON.stringify(difference.received)]
    if (expected === undefined || received === undefined || expected === received) return [difference]
    if (draws.areKnown(expected, received)) return []
    return [draws.areDrawn(expected, received) ? { ...difference, drawn: true } : difference]
  })
}
