import type { HeaderPairs } from '../trace/rows.ts'
import { headerValue } from './headers.ts'

/** Returns whether an answer redirects the client. */
export function isRedirect(status: number, headers: HeaderPairs): boolean {
  return [301, 302, 303, 307, 308].includes(status) && headerValue(headers, 'location') !== undefined
}

/** Returns how a fetch handles redirects; by default it follows them. */
export function redirectMode(input: RequestInfo | URL, init: RequestInit | undefined): RequestRedirect {
  return init?.redirect ?? (input instanceof Request ? input.redirect : 'follow')
}
