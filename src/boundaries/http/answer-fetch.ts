import type { AnsweredRun, RequestBody } from '../../run/active-run.ts'
import type { Scope } from '../../run/scope.ts'
import type { HeaderPairs } from '../../trace/rows.ts'
import { FetchAnswer } from './fetch-answer.ts'
import { headerValue, toHeaderPairs } from './headers.ts'
import { isRedirect, redirectMode } from './redirects.ts'

interface FetchCall {
  readonly method: string
  readonly url: string
  readonly headers: HeaderPairs
  readonly body: RequestBody
  readonly signal: AbortSignal | undefined
  readonly redirect: RequestRedirect
}

/** Answers a fetch from the trace. Redirects that the recording saw one by one (from a client that does not follow them) are followed here. */
export async function answerFetch(
  scope: Scope,
  run: AnsweredRun,
  input: RequestInfo | URL,
  init: RequestInit | undefined,
): Promise<Response> {
  let call = readCall(input, init)
  for (let hops = 0; hops <= 20; hops += 1) {
    const response = await answerOnce(scope, run, call)
    const headers = toHeaderPairs(response.headers)
    if (call.redirect !== 'follow' || !isRedirect(response.status, headers)) return response
    call = redirected(call, response.status, headerValue(headers, 'location') ?? '')
  }
  throw new TypeError('fetch failed', { cause: new Error('redirect count exceeded') })
}

function answerOnce(scope: Scope, run: AnsweredRun, call: FetchCall): Promise<Response> {
  const { signal } = call
  if (signal?.aborted === true) return Promise.reject(signal.reason)
  const answer = new FetchAnswer(call.url)
  const exchange = run.answerExchange({ owner: scope.owner, method: call.method, url: call.url, headers: call.headers }, call.body, answer)
  answer.onStop = () => exchange.stop()
  if (signal !== undefined) {
    const onAbort = (): void => answer.abort(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    answer.onSettled = () => signal.removeEventListener('abort', onAbort)
  }
  return answer.response
}

function readCall(input: RequestInfo | URL, init: RequestInit | undefined): FetchCall {
  const body = init?.body
  // The way of every SDK: an address, and text for a body. A Request costs as much as all the rest of a replayed step.
  if (!(input instanceof Request) && (body === undefined || body === null || typeof body === 'string')) {
    const headers = toHeaderPairs(init?.headers)
    if (typeof body === 'string' && headerValue(headers, 'content-type') === undefined)
      headers.push(['content-type', 'text/plain;charset=UTF-8'])
    const method = (init?.method ?? 'GET').toUpperCase()
    return {
      method,
      url: parseUrl(input),
      headers,
      body: body ?? undefined,
      signal: init?.signal ?? undefined,
      redirect: redirectMode(input, init),
    }
  }
  const request = new Request(input, init)
  return {
    method: request.method,
    url: request.url,
    headers: toHeaderPairs(request.headers),
    body: request.body === null ? undefined : request.arrayBuffer().then((buffer) => new Uint8Array(buffer)),
    // A request follows its signal, but the caller's own aborts without a detour.
    signal: init?.signal ?? (input instanceof Request ? input.signal : undefined),
    redirect: request.redirect,
  }
}

function parseUrl(input: string | URL): string {
  try {
    return new URL(input).href
  } catch (cause) {
    throw new TypeError(`Failed to parse URL from ${String(input)}`, { cause })
  }
}

/** The next request of a redirect. Source: Fetch standard, HTTP-redirect fetch, steps 11 to 13. */
function redirected(call: FetchCall, status: number, location: string): FetchCall {
  const url = new URL(location, call.url).href
  const becomesGet =
    ((status === 301 || status === 302) && call.method === 'POST') || (status === 303 && call.method !== 'GET' && call.method !== 'HEAD')
  if (!becomesGet) return { ...call, url }
  return { ...call, url, method: 'GET', body: undefined, headers: call.headers.filter(([name]) => !name.startsWith('content-')) }
}
