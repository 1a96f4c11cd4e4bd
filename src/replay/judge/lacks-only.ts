import type { FieldDifference } from '../../divergence/divergence.ts'

/**
 * Whether a call's input only lacks parts of a recorded one, like a conversation in which a tool call was not made: missing fields and
 * items, words left out of a text.
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
