import type { HeaderPairs } from '../trace/rows.ts'
import { headerValue } from './headers.ts'

/** A coding of bodies that can be decoded and made again. */
export type Coding = 'gzip' | 'x-gzip' | 'deflate' | 'br' | 'zstd'

const known: readonly string[] = ['gzip', 'x-gzip', 'deflate', 'br', 'zstd'] satisfies readonly Coding[]

/** The codings that a `content-encoding` names, in the order of encoding. Undefined where there is none, or one that is not known. */
export function codingsOf(encoding: string | undefined): readonly Coding[] | undefined {
  if (encoding === undefined) return undefined
  const names = encoding.split(',').map((name) => name.trim().toLowerCase())
  const codings = names.filter((name) => name !== '' && name !== 'identity')
  return codings.length > 0 && codings.every(isKnown) ? codings : undefined
}

/** The known codings of an answer's body, as its header names them; undefined where there is none, or no body. */
export function answerEncoding(method: string, status: number, headers: HeaderPairs): string | undefined {
  const isBodyless = method === 'HEAD' || status < 200 || status === 204 || status === 205 || status === 304
  if (isBodyless || headerValue(headers, 'content-length') === '0') return undefined
  const encoding = headerValue(headers, 'content-encoding')
  return codingsOf(encoding) === undefined ? undefined : encoding
}

function isKnown(name: string): name is Coding {
  return known.includes(name)
}
