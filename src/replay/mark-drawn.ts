import type { FieldDifference } from '../divergence/divergence.ts'

/** Marks the fields that differ in nothing but what was drawn from clock and chance. */
export function markDrawn(
  differences: readonly FieldDifference[],
  areDrawn: (expected: string, received: string) => boolean,
): FieldDifference[] {
  return differences.map((difference) => {
    const [expected, received] = [JSON.stringify(difference.expected), JSON.stringify(difference.received)]
    if (expected === undefined || received === undefined || expected === received || !areDrawn(expected, received)) return difference
    return { ...difference, drawn: true }
  })
}
