import { isReserved } from '../trace/json.ts'
import { isFields } from './same-value.ts'

/**
 * Returns a value in recorded form without the headers that the trace leaves out: an agent that hands on all headers of a response has them in the
 * recording, and not in a replay.
 *
 * @param names Of headers, in lower case.
 */
export function withoutLeftOutFields(value: unknown, names: ReadonlySet<string>): unknown {
  if (names.size === 0) return value
  if (Array.isArray(value)) {
    const items = value as readonly unknown[]
    return items.filter((item) => !isPairOf(item, names)).map((item) => withoutLeftOutFields(item, names))
  }
  if (!isFields(value)) return value
  const kept = Object.entries(value).filter(([name]) => isReserved(value) || !names.has(name.toLowerCase()))
  return Object.fromEntries(kept.map(([name, field]) => [name, withoutLeftOutFields(field, names)]))
}

function isPairOf(item: unknown, names: ReadonlySet<string>): boolean {
  return Array.isArray(item) && item.length === 2 && typeof item[0] === 'string' && names.has(item[0].toLowerCase())
}
