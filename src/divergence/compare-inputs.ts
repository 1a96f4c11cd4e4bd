import { dialectNamed } from '../models/dialects.ts'
import type { Boundary } from '../trace/boundary.ts'
import type { PathKey } from '../trace/json.ts'
import { toPath } from '../trace/path.ts'
import type { FieldDifference, InputPart } from './divergence.ts'
import { type NormalInput, normalInput } from './normal-input.ts'
import { credentialMark } from '../trace/credential-mark.ts'
import { type PathRules, noRules } from './path-rules.ts'
import { blankStandIns, noSides, StandInRenaming, type StandInSides } from './stand-ins.ts'
import { withRecordedStandIns } from './recorded-stand-ins.ts'
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
  renaming: StandInRenaming = new StandInRenaming(noSides),
): FieldDifference[] {
  const normal = (input: unknown): NormalInput => rules.input(boundary, normalInput(boundary, name, input))
  const [expected, received] = [normal(recorded), normal(live)]
  const found = valueDifferences(expected, received, textsOf(renaming), renaming.sides)
  const differences = found.map((difference) => withRecordedStandIns(difference, renaming))
  const dialect = boundary === 'model' ? dialectNamed(name) : undefined
  return differences.map((difference) => {
    const keys = keysInBody(boundary, difference.keys)
    if (keys === undefined) return { ...toFieldDifference(difference), ...differentStandIns(difference, renaming.sides) }
    const part = dialect?.requestPart(keys, expected.body, received.body) ?? 'body'
    const { expected: one, received: other } = difference
    return { path: toPath(keys, ''), part, expected: one, received: other, ...differentStandIns(difference, renaming.sides) }
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
  renaming: StandInRenaming = new StandInRenaming(noSides),
): FieldDifference[] {
  return valueDifferences(expected, received, textsOf(renaming), renaming.sides).map((difference) => ({
    path: toPath(difference.keys, root),
    expected: difference.expected,
    received: difference.received,
    ...differentStandIns(difference, renaming.sides),
  }))
}

/** The first key of a normal input's path is the part; a query is part of the URL. */
function toFieldDifference({ keys, expected, received }: ValueDifference): FieldDifference {
  const part = keys[0] === 'query' ? 'url' : (String(keys[0]) as InputPart)
  const isCredential = [expected, received].some((value) => typeof value === 'string' && value.includes(credentialMark))
  return { path: toPath(keys, ''), part: isCredential && part !== 'body' ? 'credential' : part, expected, received }
}

/** The stand-ins in which two texts differ, if they differ in nothing else. */
function differentStandIns({ expected, received }: ValueDifference, sides: StandInSides): Pick<FieldDifference, 'standIns'> {
  if (typeof expected !== 'string' || typeof received !== 'string') return {}
  const [one, other] = [blankStandIns(expected, sides.recorded), blankStandIns(received, sides.live)]
  if (one.text !== other.text || one.numbers.length === 0) return {}
  const different = sides.live.find(received).filter(({ number }, index) => number !== one.numbers[index])
  return { standIns: different.map(({ kind, number }) => ({ kind, isOwn: number > sides.recorded.last })) }
}

/** Compares texts, with stand-ins renamed by a run's renaming. The renaming learns nothing here. */
function textsOf(renaming: StandInRenaming): SameText {
  const own = renaming.fork()
  return (expected, received) => own.isSame(expected, received)
}
