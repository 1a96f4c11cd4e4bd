import type { FieldDifference } from '../divergence/divergence.ts'
import { ownField } from '../divergence/same-value.ts'
import type { PathKey } from '../trace/json.ts'
import { toPath } from '../trace/path.ts'
import type { MatchContext } from './matcher-types.ts'
import { isPlain } from './subset.ts'

/** The value that is most similar to the expected one, with its index. */
export function nearest(
  { matches }: MatchContext,
  values: readonly unknown[],
  expected: unknown,
): { readonly value: unknown; readonly index: number } | undefined {
  return values
    .map((value, index) => ({ value, index, differences: mismatches(matches, value, expected).length }))
    .toSorted((a, b) => a.differences - b.differences)[0]
}

/** The fields of a value that do not match the expected one, as deep as possible. */
export function mismatches(matches: MatchContext['matches'], received: unknown, expected: unknown): FieldDifference[] {
  const found: FieldDifference[] = []
  const search = (value: unknown, wanted: unknown, keys: readonly PathKey[]): void => {
    if (matches(value, wanted)) return
    if (Array.isArray(wanted) && Array.isArray(value) && wanted.length === value.length) {
      for (const [index, item] of wanted.entries()) search(value[index], item, [...keys, index])
    } else if (isPlain(wanted) && isPlain(value)) {
      for (const [name, field] of Object.entries(wanted)) search(ownField(value, name), field, [...keys, name])
    } else {
      found.push({ path: toPath(keys, ''), expected: wanted, received: value })
    }
  }
  search(received, expected, [])
  return found
}
