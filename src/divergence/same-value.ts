import { type StandInSides, withoutStandIns } from './stand-ins.ts'

/** Whether two values in recorded form are the same, ignoring which stand-ins they have. */
export function isSameValue(expected: unknown, received: unknown, sides: StandInSides): boolean {
  if (expected === received) return true
  if (typeof expected === 'string' && typeof received === 'string') return isSameText(expected, received, sides)
  if (Array.isArray(expected) || Array.isArray(received)) {
    if (!Array.isArray(expected) || !Array.isArray(received) || expected.length !== received.length) return false
    return expected.every((item, index) => isSameValue(item, received[index], sides))
  }
  if (!isFields(expected) || !isFields(received)) return false
  return fieldNames(expected, received).every((name) => isSameValue(ownField(expected, name), ownField(received, name), sides))
}

/** The names of the fields of two objects, the first object's first. Leaves out undefined fields. */
export function fieldNames(expected: Fields, received: Fields): string[] {
  const names = Object.keys(expected).filter((name) => expected[name] !== undefined)
  return [...names, ...Object.keys(received).filter((name) => received[name] !== undefined && ownField(expected, name) === undefined)]
}

/** An object's own field: a recorded input may have a field of any name, even `constructor`. */
export function ownField(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}

/** An object with fields. */
export type Fields = Readonly<Record<string, unknown>>

/** Whether a value is an object with fields: neither an array nor null. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isSameText(expected: string, received: string, { recorded, live }: StandInSides): boolean {
  return withoutStandIns(expected, recorded) === withoutStandIns(received, live)
}
