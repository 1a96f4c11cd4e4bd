import type { HeaderPairs } from '../trace/http-facts.ts'
import { headerValue } from './headers.ts'

/** A content coding that can be decoded and encoded. */
export type Coding = 'gzip' | 'x-gzip' | 'deflate' | 'br' | 'zstd'

const known: readonly string[] = ['gzip', 'x-gzip', 'deflate', 'br', 'zstd'] satisfies readonly Coding[]

/** Returns the codings that a `content-encoding` names, in the order of encoding; undefined if there is none or one is unknown. */
export function codingsOf(encoding: string | undefined): readonly Coding[] | undefined {
  if (encoding === undefined) return undefined
  const names = encoding.split(',').map((name) => name.trim().toLowerCase())
  const codings = names.filter((name) => name !== '' && name !== 'identity')
  return codings.length > 0 && codings.every(isKnown) ? codings : undefined
}

/** Returns the `content-encoding` of an answer's body, if all its codings are known; undefined without one or without a body. */
export function answerEncoding(method: string, status: number, headers: HeaderPairs): string | undefined {
  if (!hasBody(method, status) || headerValue(headers, 'content-length') === '0') return undefined
  const encoding = headerValue(headers, 'content-encoding')
  return codingsOf(encoding) === undefined ? undefined : encoding
}

/** Returns whether an answer may have a body. Source: RFC 9110, section 6.4.1, and the Fetch standard, null body status. */
export function hasBody(method: string, status: number): boolean {
  return method !== 'HEAD' && status >= 200 && status !== 204 && status !== 205 && status !== 304
}

function isKnown(name: string): name is Coding {
  return known.includes(name)
}

/**
 * Returns whether a `deflate` body has a zlib header, as RFC 9110 requires; some servers send none. Node's fetch also decides by the first
 * byte. Source: RFC 1950, section 2.2, the low four bits of the first byte are the compression method, 8.
 */
export function hasZlibHeader(first: number): boolean {
  return (first & 0x0f) === 8
}
