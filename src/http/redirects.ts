import type { HeaderPairs, UnfollowedRedirect } from '../trace/http-facts.ts'
import { headerValue } from './headers.ts'

/** Returns whether an answer redirects the client. */
export function isRedirect(status: number, headers: HeaderPairs): boolean {
  return [301, 302, 303, 307, 308].includes(status) && headerValue(headers, 'location') !== undefined
}

/** Returns how a fetch handles redirects, if it does not follow them, for the trace. */
export function unfollowed(mode: RequestRedirect): { readonly redirect?: UnfollowedRedirect } {
  return mode === 'manual' || mode === 'error' ? { redirect: mode } : {}
}

/** Returns how a fetch handles redirects; by default it follows them. */
export function redirectMode(input: RequestInfo | URL, init: RequestInit | undefined): RequestRedirect {
  return init?.redirect ?? (input instanceof Request ? input.redirect : 'follow')
}
