import { isJsonObject } from '../trace/json.ts'

/** An object of a body that nobody has validated. */
export type JsonRecord = Readonly<Record<string, unknown>>

const NOTHING: JsonRecord = Object.freeze({})

/** The value if it is an object, otherwise an empty one. */
export function recordOf(value: unknown): JsonRecord {
  return isJsonObject(value) ? value : NOTHING
}

/** The objects of an array; empty when the value is not an array. */
export function recordsOf(value: unknown): readonly JsonRecord[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

/** The value if it is a string that is not empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The texts in a field of objects, joined. @param isRead Which of them count. Default: all. */
export function joinedTexts(records: readonly JsonRecord[], name: string, isRead: (record: JsonRecord) => boolean = () => true): string {
  return records.map((record) => (isRead(record) ? (textOf(record[name]) ?? '') : '')).join('')
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

/** A copy of a value in which each object in the list of that name is what `change` gives for it. */
export function changeEach(value: unknown, name: string, change: (item: JsonRecord) => unknown): unknown {
  const record = recordOf(value)
  const list = record[name]
  if (!Array.isArray(list)) return value
  return { ...record, [name]: list.map((item: unknown) => (isJsonObject(item) ? change(item) : item)) }
}
