import type { Headers } from '../agents/account.ts'
import { nameKeys } from './environments.ts'
import type { Reply } from './script.ts'

/** The token of the user in every scene's input. */
export const USER_TOKEN = 'ut_5e1f0b7c93d24a68'

/** What the service answers, in every world. */
const ANSWERS: Readonly<Record<string, Reply>> = {
  'POST /login': { ms: 0, value: { access_token: 'at_c0ffee0d1e5a4b27', admin_token: 'ad_7b3e9f2a6d8c4e10' } },
  'GET /account': { ms: 0, value: { seen: false } },
  'PATCH /account': { ms: 0, value: { seen: true } },
}

/** Returns the service's answer to a request. Undefined if the request is not for it. */
export function accountAnswer(name: string): Reply | undefined {
  return ANSWERS[name]
}

/** What no service in this world acts on: framing, the client's name and version, and the telemetry of whoever calls. */
const UNREAD =
  /^(?:host|connection|content-length|transfer-encoding|accept-encoding|sec-fetch-mode|user-agent|x-stainless-.*|x-client-info|x-goog-api-client|x-stripe-client-user-agent|x-client-request-id|traceparent|tracestate|baggage|sentry-trace|b3|x-amzn-trace-id|x-datadog-.*|x-world-call)$/

/** What a client of HTTP sends if its caller says nothing: any format, any language. */
const ANYTHING: Readonly<Record<string, string>> = { accept: '*/*', 'accept-language': '*' }

/** Returns what services see of a request's headers: who asks, whatever key the caller's environment has for that, and how. */
export function seenHeaders(sent: Readonly<Record<string, string | readonly string[] | undefined>>): Headers {
  const read = Object.entries(sent).filter(([name, value]) => !UNREAD.test(name) && value !== ANYTHING[name])
  return Object.fromEntries(read.map(([name, value]) => [name, nameKeys(String(value))]))
}
