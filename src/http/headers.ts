import { isUint8Array } from 'node:util/types'
import type { HeaderPairs } from '../trace/rows.ts'
import { remember } from '../node/remember.ts'

/** Anything that a client may pass as headers. */
export type HeaderSource =
  | Headers
  | Readonly<Record<string, unknown>>
  | Iterable<readonly [string, unknown]>
  | readonly unknown[]
  | null
  | undefined

/**
 * Returns the headers of a request that carry meaning: content type, idempotency key, `*-version`, `*-beta`. The rest (credentials, user
 * agents, client telemetry, trace ids) describes the caller, not the request.
 *
 * @param named More headers that carry meaning, in lower case. Default: none.
 */
export function meaningfulHeaders(headers: HeaderPairs, named: readonly string[] = []): HeaderPairs {
  return headers.filter((pair) => isMeaningful(pair[0]) || named.includes(pair[0]))
}

const isMeaningful = remember(
  (name: string): boolean =>
    name === 'content-type' ||
    name === 'idempotency-key' ||
    (name.endsWith('-version') && !name.startsWith('x-stainless-')) ||
    name.endsWith('-beta'),
)

const framing: readonly string[] = ['transfer-encoding', 'connection', 'keep-alive']

/** Returns the headers of an answer whose body gets new framing. */
export function framedHeaders(headers: HeaderPairs): [string, string][] {
  const kept: [string, string][] = []
  for (const pair of headers) if (!framing.includes(pair[0])) kept.push([pair[0], pair[1]])
  return kept
}

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

/** Returns the first value of a header, or undefined. */
export function headerValue(headers: HeaderPairs, name: string): string | undefined {
  for (const pair of headers) if (pair[0] === name) return pair[1]
  return undefined
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
