import { runBelow, type Scope } from '../../run/scope.ts'
import type { RequestBody } from '../../run/active-run.ts'
import type { HeaderPairs } from '../../trace/http-facts.ts'
import { headerValue, toHeaderPairs } from '../../http/headers.ts'
import { readFetchHeaders } from './fetch-headers.ts'
import { type ReadBody, readPieces } from './piecewise-body.ts'
import { redirectMode } from '../../http/redirects.ts'
import { remember } from '../../trace/remember.ts'

/** A fetch call. */
export interface FetchCall {
  readonly method: string
  /** The URL without its fragment, which is not sent. */
  readonly url: string
  readonly headers: HeaderPairs
  readonly body: RequestBody
  /** Reads the body, if it arrives piece by piece. */
  readonly reading?: ReadBody | undefined
  readonly signal: AbortSignal | undefined
  readonly redirect: RequestRedirect
}

/** The URL of a fetch. */
export interface HttpUrl {
  /** The URL without its fragment. */
  readonly href: string
  readonly hasCredentials: boolean
}

/** Returns the HTTP URL of a fetch; undefined for `data:` and similar, invalid URLs, and blocked ports. */
export function httpUrlOf(input: RequestInfo | URL): HttpUrl | undefined {
  return readHttpUrl(input instanceof Request ? input.url : String(input))
}

const readHttpUrl = remember((address: string): HttpUrl | undefined => {
  const url = URL.parse(address)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:') || badPorts.has(Number(url.port))) return undefined
  url.hash = ''
  return { href: url.href, hasCredentials: url.username !== '' || url.password !== '' }
})

/** Ports that fetch blocks: it fails before any request. Source: Fetch standard, "port blocking". */
const badPorts: ReadonlySet<number> = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110, 111, 113, 115, 117,
  119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636,
  989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
])

/**
 * Reads a fetch call as Node's fetch does. Throws the same errors for an invalid call.
 *
 * @param url The call's URL, from `httpUrlOf`.
 */
export function readFetchCall(scope: Scope, url: HttpUrl, input: RequestInfo | URL, init: RequestInit | undefined): FetchCall {
  const headers = headersOfPlain(url, input, init)
  return headers === undefined ? readRequest(scope, url, input, init) : readPlainCall(url, init, headers)
}

/**
 * Returns the headers of a call of the form that SDKs use: a URL, text as body, and nothing that fetch might refuse. A Request, which would
 * refuse it, costs as much as the rest of a replayed step.
 */
function headersOfPlain(url: HttpUrl, input: RequestInfo | URL, init: RequestInit | undefined): [string, string][] | undefined {
  if (input instanceof Request || url.hasCredentials) return undefined
  if (init === undefined) return []
  for (const option in init) if (!plainOptions.has(option) && init[option as keyof RequestInit] !== undefined) return undefined
  const { body, method = 'GET', signal, redirect } = init
  if (!isPlainMethod(method) || (redirect !== undefined && !redirects.has(redirect))) return undefined
  if (signal !== undefined && signal !== null && !(signal instanceof AbortSignal)) return undefined
  if (body !== undefined && body !== null) {
    const normal = normalMethod(method)
    if (typeof body !== 'string' || normal === 'GET' || normal === 'HEAD') return undefined
  }
  return readFetchHeaders(init.headers)
}

/** What a plain call may have. Others (`mode`, `credentials`, `integrity`) are read by a Request, which checks them. */
const plainOptions: ReadonlySet<string> = new Set(['method', 'headers', 'body', 'signal', 'redirect', 'dispatcher', 'duplex'])
const redirects: ReadonlySet<string> = new Set<RequestRedirect>(['follow', 'manual', 'error'])

/** A token that is no forbidden method. Source: Fetch standard, "forbidden method". */
const isPlainMethod = remember((method) => /^\w+$/.test(method) && !/^(?:connect|trace|track)$/i.test(method))

function readPlainCall(url: HttpUrl, init: RequestInit | undefined, headers: [string, string][]): FetchCall {
  const { method = 'GET', body, signal } = init ?? {}
  if (typeof body === 'string' && headerValue(headers, 'content-type') === undefined) {
    headers.push(['content-type', 'text/plain;charset=UTF-8'])
  }
  return {
    method: normalMethod(method),
    url: url.href,
    headers,
    body: typeof body === 'string' ? body : undefined,
    signal: signal ?? undefined,
    redirect: redirectMode(url.href, init),
  }
}

/** A Request's draws (the boundary of a form) and the reading of its body are below the boundary, as in the recording. */
function readRequest(scope: Scope, url: HttpUrl, input: RequestInfo | URL, init: RequestInit | undefined): FetchCall {
  return runBelow(scope, {}, () => {
    const request = new Request(input, init)
    const headers = toHeaderPairs(request.headers)
    const reading = request.body === null ? undefined : readPieces(scope, url.href, headers, request.body)
    return {
      method: request.method,
      url: url.href,
      headers,
      body: reading?.sent,
      reading,
      // A request follows its signal, but the caller's own signal aborts directly.
      signal: init?.signal ?? (input instanceof Request ? input.signal : undefined),
      redirect: request.redirect,
    }
  })
}

/** Only these methods are converted to upper case. Source: Fetch standard, "normalize" a method. */
const normalMethod = remember((method) => (/^(delete|get|head|options|post|put)$/i.test(method) ? method.toUpperCase() : method))
