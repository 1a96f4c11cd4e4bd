import { dialectNamed } from '../models/dialects.ts'
import type { Boundary } from '../trace/boundary.ts'
import type { PathKey } from '../trace/json.ts'
import { toPath } from '../trace/path.ts'
import type { FieldDifference, InputPart } from './divergence.ts'
import { type NormalInput, normalInput } from './normal-input.ts'
import { type PathRules, noRules } from './path-rules.ts'
import { StandInRenaming } from './stand-ins.ts'
import { type SameText, type ValueDifference, valueDifferences } from './value-differences.ts'

/**
 * The differences between two inputs of one boundary and name, in recorded form, each with its part of the input. Empty if their canonical
 * inputs are equal. Paths of a tool start with `args`. Paths of a model call are those in the provider's body. Paths of an HTTP call start
 * with `method`, `url`, `query`, `headers` or `body`.
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
  const differences = valueDifferences(expected, received, textsOf(renaming))
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

/** Paths of a model call start in the provider's body. */
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
  return valueDifferences(expected, received, textsOf(renaming)).map((difference) => ({
    path: toPath(difference.keys, root),
    expected: difference.expected,
    received: difference.received,
  }))
}

/** The first key of a normal input's path is the part; a query is part of the URL. */
function toFieldDifference({ keys, expected, received }: ValueDifference): FieldDifference {
  return { path: toPath(keys, ''), part: keys[0] === 'query' ? 'url' : (String(keys[0]) as InputPart), expected, received }
}

/** Compares texts, with stand-ins renamed by a run's renaming. The renaming learns nothing here. */
function textsOf(renaming: StandInRenaming): SameText {
  const own = renaming.fork()
  return (expected, received) => own.isSame(expected, received)
}
