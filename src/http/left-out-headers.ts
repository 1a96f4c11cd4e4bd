import { remember } from '../trace/remember.ts'
import type { HeaderPairs, HttpHead } from '../trace/http-facts.ts'
import { isInfrastructureCookie } from './infrastructure-cookies.ts'

/** Headers of answers that a trace does not keep. */
export interface LeftOutHeaders {
  /** In lower case. A name that ends with `*` stands for all names that begin like it. */
  readonly names: readonly string[]
  /** Why no client needs them. */
  readonly reason: string
}

/** The headers of answers that a trace does not keep. Every other header is kept. `docs/doors.md` has the same table. */
export const leftOutHeaders: readonly LeftOutHeaders[] = [
  {
    names: ['cf-ray', 'cf-cache-status', 'cf-request-id', 'cf-apo-via', 'cf-bgj', 'cf-polished'],
    reason: 'Cloudflare describes how it handled the request; for its support, and different each time.',
  },
  {
    names: ['x-amz-cf-id', 'x-amz-cf-pop', 'x-azure-ref', 'x-msedge-ref', 'x-served-by', 'x-timer', 'x-fastly-request-id'],
    reason: 'CloudFront, Azure Front Door and Fastly describe how they handled the request.',
  },
  {
    names: ['x-envoy-*'],
    reason: 'Envoy describes its upstream; for other proxies of the same mesh.',
  },
  {
    names: ['alt-svc'],
    reason: 'Offers another protocol. No client of Node follows it.',
  },
  {
    names: ['nel', 'report-to', 'reporting-endpoints', 'expect-ct'],
    reason: 'Says where browsers report errors.',
  },
  {
    names: ['strict-transport-security', 'public-key-pins', 'public-key-pins-report-only'],
    reason: 'Binds browsers to TLS. Clients of Node keep no such list.',
  },
  {
    names: [
      'content-security-policy',
      'content-security-policy-report-only',
      'cross-origin-embedder-policy',
      'cross-origin-embedder-policy-report-only',
      'cross-origin-opener-policy',
      'cross-origin-opener-policy-report-only',
      'cross-origin-resource-policy',
      'document-policy',
      'feature-policy',
      'origin-agent-cluster',
      'permissions-policy',
      'referrer-policy',
      'x-content-type-options',
      'x-dns-prefetch-control',
      'x-download-options',
      'x-frame-options',
      'x-permitted-cross-domain-policies',
      'x-xss-protection',
    ],
    reason: 'Tells browsers how to show a page.',
  },
  {
    names: ['accept-ch', 'critical-ch', 'origin-trial', 'server-timing', 'timing-allow-origin', 'x-ua-compatible'],
    reason: "Turns on features of browsers, or feeds a browser's developer tools.",
  },
]

const exact = new Set(leftOutHeaders.flatMap(({ names }) => names.filter((name) => !name.endsWith('*'))))
const starts = leftOutHeaders.flatMap(({ names }) => names.flatMap((name) => (name.endsWith('*') ? [name.slice(0, -1)] : [])))

/** Returns whether a trace leaves out the header of an answer. @param name In any case. */
export const isLeftOut: (name: string) => boolean = remember((name) => {
  const lower = name.toLowerCase()
  return exact.has(lower) || starts.some((start) => lower.startsWith(start))
})

/** Returns a head without the headers and the cookies that a trace leaves out; it names the headers. */
export function withoutLeftOut<Head extends Pick<HttpHead, 'headers'>>(head: Head): Head & Pick<HttpHead, 'leftOut'> {
  if (!head.headers.some(isLeftOutPair)) return head
  const left = new Set(head.headers.flatMap(([name]) => (isLeftOut(name) ? [name.toLowerCase()] : [])))
  const headers = head.headers.filter((pair) => !isLeftOutPair(pair))
  return left.size === 0 ? { ...head, headers } : { ...head, headers, leftOut: [...left] }
}

function isLeftOutPair([name, value]: HeaderPairs[number]): boolean {
  return isLeftOut(name) || (isSetCookie(name) && isInfrastructureCookie(value))
}

function isSetCookie(name: string): boolean {
  return name.length === 10 && name.toLowerCase() === 'set-cookie'
}
