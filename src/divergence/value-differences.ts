import { type PathKey, isReserved } from '../trace/json.ts'
import { alignItems } from './align-items.ts'
import { fieldNames, isFields, isSameValue, ownField } from './same-value.ts'

/** A place where two values differ. */
export interface ValueDifference {
  /** From the root of the values. An item that only one side has is named by its index there. */
  readonly keys: readonly PathKey[]
  readonly expected: unknown
  readonly received: unknown
}

/** Whether two texts count as the same. */
export type SameText = (expected: string, received: string) => boolean

/**
 * Every place where two values in recorded form differ, as deep as possible. Values that are not JSON (a date, a map) are compared as one value.
 */
export function valueDifferences(expected: unknown, received: unknown, isSameText: SameText): ValueDifference[] {
  const found: ValueDifference[] = []
  collect(expected, received, { keys: [], isSameText, found })
  return found
}

interface Search {
  readonly keys: readonly PathKey[]
  readonly isSameText: SameText
  readonly found: ValueDifference[]
}

function collect(expected: unknown, received: unknown, search: Search): void {
  if (typeof expected === 'string' && typeof received === 'string') {
    if (!search.isSameText(expected, received)) search.found.push({ keys: search.keys, expected, received })
    return
  }
  if (expected === received) return
  if (Array.isArray(expected) && Array.isArray(received)) {
    for (const pair of alignItems(expected, received)) {
      const index = pair.expected ?? pair.received ?? 0
      const item = pair.expected === undefined ? undefined : expected[pair.expected]
      collect(item, pair.received === undefined ? undefined : received[pair.received], within(search, index))
    }
    return
  }
  if (isFields(expected) && isFields(received) && !isReserved(expected) && !isReserved(received)) {
    for (const name of fieldNames(expected, received)) collect(ownField(expected, name), ownField(received, name), within(search, name))
    return
  }
  if (!isSameValue(expected, received)) search.found.push({ keys: search.keys, expected, received })
}

function within({ keys, ...search }: Search, key: PathKey): Search {
  return { keys: [...keys, key], ...search }
}
