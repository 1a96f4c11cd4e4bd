import { dialectNamed } from '../models/dialects.ts'
import type { Boundary } from '../trace/boundary.ts'
import { type PathKey, isReserved } from '../trace/json.ts'
import { toPath } from '../trace/path.ts'
import type { FieldDifference, InputPart } from './divergence.ts'
import { type NormalInput, normalInput } from './normal-input.ts'
import { type PathRules, noRules } from './path-rules.ts'
import { StandInRenaming } from './stand-ins.ts'
import { alignItems } from './align-items.ts'
import { fieldNames, isFields, isSameValue, ownField } from './same-value.ts'

/**
 * The differences between two inputs of one boundary and name, in recorded form, each with the part of the input that it is in. Empty if
 * their canonical inputs are equal. Paths of a tool start with `args`, those of a model call are as in the provider's body, those of an
 * HTTP call start with `method`, `url`, `query`, `headers` or `body`.
 */
export function compareInputs(
  boundary: Boundary,
  name: string,
  recorded: unknown,
  live: unknown,
  rules: PathRules = noRules,
  renaming: StandInRenaming = new StandInRenaming(),
): FieldDifference[] {
  const normal = (input: unknown): NormalInput => rules.input(boundary, normalInput(boundary, name, input))
  const [expected, received] = [normal(recorded), normal(live)]
  const differences = valueDifferences(expected, received, renaming)
  const dialect = boundary === 'model' ? dialectNamed(name) : undefined
  return differences.map((difference) => {
    const keys = keysInBody(boundary, difference.keys)
    if (keys === undefined) return toFieldDifference(difference)
    const part = dialect?.requestPart(keys, expected.body, received.body) ?? 'body'
    return { path: toPath(keys, ''), part, expected: difference.expected, received: difference.received }
  })
}

/** The path to a value in a normal input, as reports write it. */
export function inputPath(boundary: Boundary, keys: readonly PathKey[]): string {
  return toPath(keysInBody(boundary, keys) ?? keys, '')
}

/** Paths of a model call are those of the provider's body. */
function keysInBody(boundary: Boundary, [root, ...keys]: readonly PathKey[]): PathKey[] | undefined {
  return boundary === 'model' && root === 'body' && keys.length > 0 ? keys : undefined
}

/** The differences between two values in recorded form: outcomes, or states of a checkpoint. Paths start with `root`. */
export function compareValues(
  expected: unknown,
  received: unknown,
  root = '',
  renaming: StandInRenaming = new StandInRenaming(),
): FieldDifference[] {
  return valueDifferences(expected, received, renaming).map((difference) => ({
    path: toPath(difference.keys, root),
    expected: difference.expected,
    received: difference.received,
  }))
}

/** The first key of a normal input's path is the part; a query is part of the URL. */
function toFieldDifference({ keys, expected, received }: ValueDifference): FieldDifference {
  return { path: toPath(keys, ''), part: keys[0] === 'query' ? 'url' : (String(keys[0]) as InputPart), expected, received }
}

/** A place where two values differ. */
interface ValueDifference {
  /** From the root of the values. An item that only one side has is named by its index there. */
  readonly keys: readonly PathKey[]
  readonly expected: unknown
  readonly received: unknown
}

/**
 * Every place where two values in recorded form differ, as deep as possible. Texts whose stand-ins match by the run's renaming are equal;
 * the renaming learns nothing here. Values that are not JSON (a date, a map) are compared as one value.
 */
function valueDifferences(expected: unknown, received: unknown, known: StandInRenaming): ValueDifference[] {
  const found: ValueDifference[] = []
  const renaming = known.fork()
  const collect = (one: unknown, other: unknown, keys: readonly PathKey[]): void => {
    if (typeof one === 'string' && typeof other === 'string') {
      if (!renaming.isSame(one, other)) found.push({ keys, expected: one, received: other })
      return
    }
    if (one === other) return
    if (Array.isArray(one) && Array.isArray(other)) {
      for (const pair of alignItems(one, other)) {
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
    if (!isSameValue(one, other)) found.push({ keys, expected: one, received: other })
  }
  collect(expected, received, [])
  return found
}
