import { isDeepStrictEqual } from 'node:util'

/**
 * Whether a value contains at least what is expected: additional fields are allowed, arrays are compared item by item. Like the runners'
 * `toMatchObject`, for use without a runner.
 */
export function holdsSubset(received: unknown, expected: unknown): boolean {
  if (Array.isArray(expected)) {
    if (!Array.isArray(received) || received.length !== expected.length) return false
    return expected.every((item, index) => holdsSubset(received[index], item))
  }
  if (!isPlain(expected)) return isDeepStrictEqual(received, expected)
  if (typeof received !== 'object' || received === null || Array.isArray(received)) return false
  return Object.entries(expected).every(([name, field]) => Object.hasOwn(received, name) && holdsSubset(Reflect.get(received, name), field))
}

/** A value without the fields, at any depth, that are not expected. */
export function pickExpected(received: unknown, expected: unknown): unknown {
  if (Array.isArray(received) && Array.isArray(expected) && received.length === expected.length) {
    return received.map((item, index) => pickExpected(item, expected[index]))
  }
  if (!isPlain(received) || !isPlain(expected)) return received
  const fields = Object.entries(received).filter(([name]) => Object.hasOwn(expected, name))
  return Object.fromEntries(fields.map(([name, field]) => [name, pickExpected(field, expected[name])]))
}

/** Whether a value is an object made by `{}` or `JSON.parse`. */
export function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null
}
