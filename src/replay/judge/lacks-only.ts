import type { FieldDifference } from '../../divergence/divergence.ts'

/**
 * Whether a call's input differs from a recorded one's by nothing but what it lacks, as a conversation does when one of its tool calls was not
 * made: fields and items that are not there, words that are left out of a text.
 */
export function lacksOnly(differences: readonly FieldDifference[]): boolean {
  return differences.every((difference) => isLack(difference))
}

function isLack({ expected, received }: FieldDifference): boolean {
  if (typeof received !== 'string' || typeof expected !== 'string') return received === undefined
  const words = expected.split(/\s+/)
  let next = 0
  return received.split(/\s+/).every((word) => word === '' || (next = words.indexOf(word, next) + 1) > 0)
}
