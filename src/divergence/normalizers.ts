import stringify from 'fast-json-stable-stringify'
import { isReserved } from '../trace/json.ts'
import { withoutDates } from './dates.ts'
import { isFields } from './same-value.ts'

/** Names of the built-in normalizers, applied to values before they are compared. */
export type NormalizerName = 'uuid' | 'date' | 'whitespace' | 'sorted'

const uuids = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gi

/** The built-in normalizers, for values in recorded form. */
export const normalizers: Readonly<Record<NormalizerName, (value: unknown) => unknown>> = {
  uuid: (value) => mapTexts(value, (text) => text.replaceAll(uuids, '<uuid>')),
  date: (value) => (isDate(value) ? '<date>' : mapTexts(value, withoutDates)),
  whitespace: (value) => mapTexts(value, (text) => text.trim().replaceAll(/\s+/g, ' ')),
  sorted: (value) => (Array.isArray(value) ? sort(value) : value),
}

function sort(items: readonly unknown[]): unknown[] {
  const keyed = items.map((item) => ({ item, key: stringify(item) ?? '' }))
  return keyed.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ item }) => item)
}

/** A number that counts from the epoch, or a recorded Date. */
function isDate(value: unknown): boolean {
  if (typeof value === 'number') return withoutDates(String(value)) === '<date>'
  return isFields(value) && isReserved(value) && isFields(value['$']) && 'date' in value['$']
}

function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) return value.map((item: unknown) => mapTexts(item, map))
  if (!isFields(value) || isReserved(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, mapTexts(field, map)]))
}
