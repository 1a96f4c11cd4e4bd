import { remember } from '../node/remember.ts'
import type { HeaderPairs } from '../trace/rows.ts'

const allowed = new Set([
  'accept-ranges',
  'cache-control',
  'connect-content-encoding',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-length',
  'content-range',
  'content-type',
  'date',
  'etag',
  'expires',
  'grpc-encoding',
  'grpc-message',
  'grpc-status',
  'last-modified',
  'link',
  'location',
  'request-id',
  'retry-after',
  'retry-after-ms',
  'transfer-encoding',
  'vary',
  'x-request-id',
  'x-should-retry',
  'x-total-count',
])

/** Returns the headers of an answer that are kept: those that clients act on. Cookies, tokens and every other header are dropped. */
export function allowedAnswerHeaders(headers: HeaderPairs): HeaderPairs {
  return headers.filter((pair) => isAllowed(pair[0]))
}

const isAllowed = remember(
  (name: string): boolean => allowed.has(name) || /^(x-)?ratelimit-|-ratelimit-|-version$|^anthropic-|^openai-|^x-amzn-/.test(name),
)
