import { type PathKey, isReserved } from '../trace/json.ts'
import { alignItems } from './align-items.ts'
import { fieldNames, isFields, isSameValue, ownField } from './same-value.ts'
import { noSides, type StandInSides } from './stand-ins.ts'

/** A place where two values differ. */
export interface ValueDifference {
  /** From the root of the values. An item that only one side has is named by its index on that side. */
  readonly keys: readonly PathKey[]
  readonly expected: unknown
  readonly received: unknown
}

/** Whether two texts count as the same. */
export type SameText = (expected: string, received: string) => boolean

/**
 * Every place where two values in recorded form differ, as deep as possible. Each value that is not JSON (a date, a map) is compared as a
 * whole.
 */
export function valueDifferences(
  expected: unknown,
  received: unknown,
  isSameText: SameText,
  sides: StandInSides = noSides,
): ValueDifference[] {
  const found: ValueDifference[] = []
  const collect = (one: unknown, other: unknown, keys: readonly PathKey[]): void => {
    if (typeof one === 'string' && typeof other === 'string') {
      if (!isSameText(one, other)) found.push({ keys, expected: one, received: other })
      return
    }
    if (one === other) return
    if (Array.isArray(one) && Array.isArray(other)) {
      for (const pair of alignItems(one, other, sides)) {
        const index = pair.expected ?? pair.received ?? 0
        const item: unknown = pair.expected === undefined ? undefined : one[pair.expected]
        collect(item, pair.received === undefined ? undefined : other[pair.received], [...keys, index])
      }
      return
    }
    if (isFields(one) && isFields(other) && !isReserved(one) && !isReserved(other)) {
      for (const name of fieldNames(one, other)) collect(ownField(one, name), ownField(other, name), [...keys, name])
      return
    }
    if (!isSameValue(one, other, sides)) found.push({ keys, expected: one, received: other })
  }
  collect(expected, received, [])
  return found
}
