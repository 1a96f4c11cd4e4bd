import { toHeaderPairs } from '../../http/headers.ts'
import { remember } from '../../trace/remember.ts'

/** Returns the headers that a caller passes to fetch, as fetch reads them; undefined if it refuses them. */
export function readFetchHeaders(headers: unknown): [string, string][] | undefined {
  if (headers === undefined) return []
  if (headers instanceof Headers || isPlain(headers)) return toHeaderPairs(headers)
  try {
    return toHeaderPairs(new Headers(headers as HeadersInit))
  } catch {
    return undefined
  }
}

/** Whether fetch takes each name and value as it is. Headers that a constructor reads cost four times as much. */
function isPlain(headers: unknown): headers is Readonly<Record<string, string>> {
  if (typeof headers !== 'object' || headers === null || Symbol.iterator in headers) return false
  return Object.entries(headers).every(([name, value]) => isName(name) && typeof value === 'string' && isValue(value))
}

/** Source: RFC 9110, section 5.6.2, token. */
const isName = remember((name) => /^[\w!#$%&'*+.^`|~-]+$/.test(name))

/** Without spaces around it, which fetch removes. Source: RFC 9110, section 5.5. */
function isValue(value: string): boolean {
  return value === '' || (/^[!-~\x80-\xFF]/.test(value) && /[!-~\x80-\xFF]$/.test(value) && !/[^\t -~\x80-\xFF]/.test(value))
}
