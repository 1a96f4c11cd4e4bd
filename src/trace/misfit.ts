import { isJsonObject, type Json, type JsonObject, type PathKey } from './json.ts'

/** Where a value does not fit the schema first, and what it would have to be there. */
export interface Misfit {
  /** From the value that was checked to the place. */
  readonly keys: readonly PathKey[]
  /** To be read after "has to be"; absent for a field that the schema does not have, which is the last of the keys. */
  readonly expected?: string
  /** Undefined where it is missing. */
  readonly got: Json | undefined
  /** Its type fits, but not what else the schema asks for. */
  readonly isOfType: boolean
}

/** Checks a value against the schema. */
export type Check = (value: Json | undefined) => Misfit | undefined

/** A misfit of a value, or of its field or item by that key. */
export function misfit(got: Json | undefined, expected: string, key?: PathKey): Misfit {
  return { keys: key === undefined ? [] : [key], expected, got, isOfType: false }
}

/** A misfit of a value of the right type. */
export function misfitOfType(got: Json, expected: string, key?: PathKey): Misfit {
  return { ...misfit(got, expected, key), isOfType: true }
}

/** A misfit in a field or an item, seen from the object or array around it. */
export function within(inner: Misfit, key: PathKey): Misfit {
  return { ...inner, keys: [key, ...inner.keys] }
}

/** What is wrong with a value that is no whole number of at least `minimum`. */
export function integerMisfit(value: Json | undefined, minimum: number, key?: PathKey): Misfit {
  if (typeof value !== 'number' || !Number.isFinite(value)) return misfit(value, 'a number', key)
  if (!Number.isInteger(value)) return misfit(value, 'a whole number', key)
  const most = Number.MAX_SAFE_INTEGER
  if (value > most) return misfitOfType(value, `at most ${most}`, key)
  return misfitOfType(value, `at least ${value < -most ? -most : minimum}`, key)
}

/** What is wrong with a value that fits no alternative. The alternative that goes furthest into it says; where none does, the union itself. */
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

/** The misfit of an object that has fields besides the `count` known ones. */
export function otherFields(value: JsonObject, count: number, fields: ReadonlySet<string>): Misfit | undefined {
  let keys = 0
  for (const _ in value) keys += 1
  if (keys === count) return undefined
  const other = Object.keys(value).find((key) => !fields.has(key))
  return other === undefined ? undefined : { keys: [other], got: value[other], isOfType: true }
}

/** Checks each field of an object that may have any. */
export function checkFields(value: Json | undefined, check: Check, isKey: (key: string) => boolean = () => true): Misfit | undefined {
  if (!isJsonObject(value)) return misfit(value, 'an object')
  for (const key of Object.keys(value)) {
    if (!isKey(key)) return misfit(value[key], 'an object with other keys', key)
    const inner = check(value[key])
    if (inner !== undefined) return within(inner, key)
  }
  return undefined
}
