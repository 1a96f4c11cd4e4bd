import type { HttpHead } from '../trace/http-facts.ts'
import { builtins } from '../node/builtins.ts'

/** Returns the reason phrase of an answer. */
export function statusTextOf({ status, statusText }: Pick<HttpHead, 'status' | 'statusText'>): string {
  return statusText ?? builtins.http.STATUS_CODES[status] ?? ''
}

/** Returns the head of an answer without its reason phrase if that is the standard one. */
export function withoutStandardText<Head extends HttpHead>(head: Head): Head {
  const { statusText, ...rest } = head
  return statusText === builtins.http.STATUS_CODES[head.status] ? (rest as Head) : head
}
