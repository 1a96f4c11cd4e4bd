/** An object of a body that nobody has validated. */
export type JsonRecord = Readonly<Record<string, unknown>>

const NOTHING: JsonRecord = Object.freeze({})

/** Whether a value is an object, not an array and not null. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value if it is an object, otherwise an empty one. */
export function recordOf(value: unknown): JsonRecord {
  return isRecord(value) ? value : NOTHING
}

/** The objects of an array; empty when the value is not an array. */
export function recordsOf(value: unknown): readonly JsonRecord[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}

/** The value if it is a string that is not empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The value if it is a number. */
export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

/** The fields of an object but for some. */
export function fieldsBut(record: JsonRecord, names: readonly string[]): JsonRecord {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)))
}

/** `undefined` for an empty list: an optional field that would say nothing is left out. */
export function someOf<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length > 0 ? list : undefined
}

/** The value of JSON text. */
export function parseJson(text: string): { readonly ok: true; readonly value: unknown } | { readonly ok: false } {
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch {
    return { ok: false }
  }
}
