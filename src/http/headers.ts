import { isUint8Array } from 'node:util/types'
import type { HeaderPairs } from '../trace/http-facts.ts'

/** Anything that a client may pass as headers. */
export type HeaderSource =
  | Headers
  | Readonly<Record<string, unknown>>
  | Iterable<readonly [string, unknown]>
  | readonly unknown[]
  | null
  | undefined

/** Converts headers in any shape that clients use to pairs with lower-case names. A flat list alternates names and values. */
export function toHeaderPairs(source: HeaderSource): [string, string][] {
  if (source === null || source === undefined) return []
  if (Array.isArray(source)) return Array.isArray(source[0]) ? pairsOf(source as [unknown, unknown][]) : pairsOfFlat(source)
  if (source instanceof Headers) return pairsOfHeaders(source)
  return pairsOf(isIterable(source) ? source : Object.entries(source))
}

/** Converts pairs to a record: a repeated name has the list of its values. */
export function toRecord(pairs: HeaderPairs): Record<string, string | string[]> {
  const values = Object.entries(Object.groupBy(pairs, ([name]) => name)).map(
    ([name, group = []]) => [name, group.map(([, value]) => value)] as const,
  )
  return Object.fromEntries(values.map(([name, [first = '', ...others]]) => [name, others.length === 0 ? first : [first, ...others]]))
}

/** Returns the first value of a header, or undefined. @param name In lower case; the names of the headers may be in any. */
export function headerValue(headers: HeaderPairs, name: string): string | undefined {
  for (const pair of headers) if (isNamed(pair, name)) return pair[1]
  return undefined
}

/** Returns whether a header has this name. @param name In lower case. */
export function isNamed([written]: HeaderPairs[number], name: string): boolean {
  return written === name || (written.length === name.length && written.toLowerCase() === name)
}

/** Names are already in lower case. A loop costs an eighth of a spread, because V8 optimizes the iterator away. */
function pairsOfHeaders(headers: Headers): [string, string][] {
  const pairs: [string, string][] = []
  for (const pair of headers) pairs.push(pair)
  return pairs
}

function pairsOf(entries: Iterable<readonly [unknown, unknown]>): [string, string][] {
  const pairs: [string, string][] = []
  for (const [name, value] of entries) addPairs(pairs, String(name), value)
  return pairs
}

/** A list has several values; a name without a value is not a header. */
function addPairs(pairs: [string, string][], name: string, value: unknown): void {
  if (value === undefined || value === null) return
  const lower = name.toLowerCase()
  if (Array.isArray(value)) for (const one of value) pairs.push([lower, textOf(one)])
  else pairs.push([lower, textOf(value)])
}

function pairsOfFlat(list: readonly unknown[]): [string, string][] {
  const pairs: [string, string][] = []
  for (let index = 0; index + 1 < list.length; index += 2) {
    addPairs(pairs, textOf(list[index]), list[index + 1])
  }
  return pairs
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (Buffer.isBuffer(value)) return value.toString('latin1')
  return isUint8Array(value) ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1') : String(value)
}

function isIterable(source: object): source is Iterable<readonly [unknown, unknown]> {
  return Symbol.iterator in source
}
