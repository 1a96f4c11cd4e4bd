import { isJsonObject } from '../trace/json.ts'

/** An object of a body that has not been validated. */
export type JsonRecord = Readonly<Record<string, unknown>>

const NOTHING: JsonRecord = Object.freeze({})

/** Returns the value if it is an object, otherwise an empty one. */
export function recordOf(value: unknown): JsonRecord {
  return isJsonObject(value) ? value : NOTHING
}

/** Returns the objects of an array; empty if the value is not an array. */
export function recordsOf(value: unknown): readonly JsonRecord[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

/** Returns the value if it is a non-empty string. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Joins the texts in a field of objects. @param isRead Returns whether an object counts. Default: all do. */
export function joinedTexts(records: readonly JsonRecord[], name: string, isRead: (record: JsonRecord) => boolean = () => true): string {
  return records.map((record) => (isRead(record) ? (textOf(record[name]) ?? '') : '')).join('')
}

/** Returns the value if it is a number. */
export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

/** Returns the fields of an object except some. */
export function fieldsBut(record: JsonRecord, names: readonly string[]): JsonRecord {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)))
}

/** Returns undefined for an empty list, so that an optional field without content is omitted. */
export function someOf<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length > 0 ? list : undefined
}

/** Returns a copy of a value in which `change` replaces each object in the list of that name. */
export function changeEach(value: unknown, name: string, change: (item: JsonRecord) => unknown): unknown {
  const record = recordOf(value)
  const list = record[name]
  if (!Array.isArray(list)) return value
  return { ...record, [name]: list.map((item: unknown) => (isJsonObject(item) ? change(item) : item)) }
}
