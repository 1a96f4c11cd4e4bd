import { isJsonObject, type Json, type JsonObject, type PathKey } from './json.ts'

/** The first place where a value does not match the schema, and the value expected there. */
export interface Misfit {
  /** The keys from the checked value to the place. */
  readonly keys: readonly PathKey[]
  /** To be read after "has to be"; absent for a field that the schema does not have, whose name is the last key. */
  readonly expected?: string
  /** Undefined if the value is missing. */
  readonly got: Json | undefined
  /** Whether the type matches, though not the schema's other requirements. */
  readonly isOfType: boolean
}

/** Checks a value against the schema. */
export type Check = (value: Json | undefined) => Misfit | undefined

/** Returns the misfit of a value, or of its field or item with that key. */
export function misfit(got: Json | undefined, expected: string, key?: PathKey): Misfit {
  return { keys: key === undefined ? [] : [key], expected, got, isOfType: false }
}

/** Returns the misfit of a value of the right type. */
export function misfitOfType(got: Json, expected: string, key?: PathKey): Misfit {
  return { ...misfit(got, expected, key), isOfType: true }
}

/** Returns a misfit in a field or an item, relative to the enclosing object or array. */
export function within(inner: Misfit, key: PathKey): Misfit {
  return { ...inner, keys: [key, ...inner.keys] }
}

/** Returns the misfit of a value that is not an integer within bounds. Default of the maximum: the largest safe integer. */
export function integerMisfit(
  value: Json | undefined,
  [minimum, maximum = Number.MAX_SAFE_INTEGER]: readonly [number, number?],
  key?: PathKey,
): Misfit {
  if (typeof value !== 'number' || !Number.isFinite(value)) return misfit(value, 'a number', key)
  if (!Number.isInteger(value)) return misfit(value, 'a whole number', key)
  const most = Number.MAX_SAFE_INTEGER
  if (value > most) return misfitOfType(value, `at most ${most}`, key)
  if (value < minimum) return misfitOfType(value, `at least ${value < -most ? -most : minimum}`, key)
  return misfitOfType(value, `at most ${maximum}`, key)
}

/** Returns the misfit of a value that matches no alternative: of the only one with the right type, else the deepest, else of the union itself. */
export function unionMisfit(value: Json | undefined, expected: string, alternatives: readonly Misfit[]): Misfit {
  const ofType = alternatives.filter(({ isOfType }) => isOfType)
  if (ofType.length === 1 && ofType[0] !== undefined) return ofType[0]
  let deepest = misfit(value, expected)
  for (const each of alternatives) if (each.got !== undefined && depthOf(each) > depthOf(deepest)) deepest = each
  return deepest
}

function depthOf({ keys, expected }: Misfit): number {
  return expected === undefined ? keys.length - 1 : keys.length
}

/** Returns the misfit of an object that has fields in addition to the `count` known ones. */
export function otherFields(value: JsonObject, count: number, fields: ReadonlySet<string>): Misfit | undefined {
  let keys = 0
  for (const _ in value) keys += 1
  if (keys === count) return undefined
  const other = Object.keys(value).find((key) => !fields.has(key))
  return other === undefined ? undefined : { keys: [other], got: value[other], isOfType: true }
}

/** Checks each field of an object with arbitrary keys. */
export function checkFields(value: Json | undefined, check: Check, isKey: (key: string) => boolean = () => true): Misfit | undefined {
  if (!isJsonObject(value)) return misfit(value, 'an object')
  for (const key of Object.keys(value)) {
    if (!isKey(key)) return misfit(value[key], 'an object with other keys', key)
    const inner = check(value[key])
    if (inner !== undefined) return within(inner, key)
  }
  return undefined
}
