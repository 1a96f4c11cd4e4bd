import type { HeaderPairs } from '../trace/http-facts.ts'
import { setOwn } from '../trace/json.ts'
import { type HeaderSource, isNamed, toHeaderPairs } from './headers.ts'

/** Returns the headers of an answer as they were received: their names as written, repeated ones too. A flat list alternates names and values. */
export function receivedHeaders(source: HeaderSource): HeaderPairs {
  if (!Array.isArray(source) || Array.isArray(source[0])) return toHeaderPairs(source)
  const pairs: [string, string][] = []
  for (let index = 0; index + 1 < source.length; index += 2) pairs.push([textOf(source[index]), textOf(source[index + 1])])
  return pairs
}

/** Returns headers by lower-case name, as clients of undici get them: a repeated name has the list of its values. */
export function recordOfReceived(headers: HeaderPairs): Record<string, string | string[]> {
  const record: Record<string, string | string[]> = {}
  for (const [written, value] of headers) {
    const name = written.toLowerCase()
    const known = Object.hasOwn(record, name) ? record[name] : undefined
    if (known === undefined) setOwn(record, name, value)
    else if (typeof known === 'string') record[name] = [known, value]
    else known.push(value)
  }
  return record
}

/** Headers that describe the connection, and not the answer. */
const framing: readonly string[] = ['transfer-encoding', 'connection', 'keep-alive']

/** Returns the headers of an answer whose body gets new framing. */
export function framedHeaders(headers: HeaderPairs): HeaderPairs {
  return headers.filter((pair) => !framing.some((name) => isNamed(pair, name)))
}

/** Bytes of a header are Latin-1. */
function textOf(part: unknown): string {
  return typeof part === 'string' ? part : Buffer.from(part as Uint8Array).toString('latin1')
}
