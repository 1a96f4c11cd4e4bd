import type { AnsweredScope } from '../../run/scope.ts'
import { FetchAnswer } from './fetch-answer.ts'
import { type FetchCall, type HttpUrl, readFetchCall } from './fetch-call.ts'
import { headerValue, toHeaderPairs } from '../../http/headers.ts'
import { isRedirect, unfollowed } from '../../http/redirects.ts'

/** Answers a fetch from the trace. Follows redirects that were recorded one by one (by a client that does not follow them). */
export async function answerFetch(
  scope: AnsweredScope,
  url: HttpUrl,
  input: RequestInfo | URL,
  init: RequestInit | undefined,
): Promise<Response> {
  let call = readFetchCall(scope, url, input, init)
  for (let hops = 0; hops <= 20; hops += 1) {
    const response = await answerOnce(scope, call, hops)
    const { status } = response
    if (status < 300 || status > 399) return response
    const headers = toHeaderPairs(response.headers)
    if (call.redirect === 'manual' || !isRedirect(status, headers)) return response
    if (call.redirect === 'error') throw new TypeError('fetch failed', { cause: new Error('unexpected redirect') })
    call = redirected(call, status, headerValue(headers, 'location') ?? '')
  }
  throw new TypeError('fetch failed', { cause: new Error('redirect count exceeded') })
}

function answerOnce({ run, owner }: AnsweredScope, call: FetchCall, hops: number): Promise<Response> {
  const { method, url, headers, signal, redirect } = call
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason)
    const answer = new FetchAnswer({ method, url, hops, signal }, resolve, reject, call.reading)
    answer.exchange = run.answerExchange({ owner, method, url, headers, ...unfollowed(redirect) }, call.body, answer)
    if (signal !== undefined) answer.follow(signal)
  })
}

/** Returns the next request after a redirect. Source: Fetch standard, HTTP-redirect fetch, steps 11 to 13. */
function redirected(call: FetchCall, status: number, location: string): FetchCall {
  const url = new URL(location, call.url).href
  const becomesGet =
    ((status === 301 || status === 302) && call.method === 'POST') || (status === 303 && call.method !== 'GET' && call.method !== 'HEAD')
  if (!becomesGet) return { ...call, url }
  return {
    ...call,
    url,
    method: 'GET',
    body: undefined,
    reading: undefined,
    headers: call.headers.filter(([name]) => !name.startsWith('content-')),
  }
}
