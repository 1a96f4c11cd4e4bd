import type { ClientHttp2Session } from 'node:http2'
import { type HeaderSource, headerValue, toHeaderPairs } from '../../http/headers.ts'
import type { HeaderPairs } from '../../trace/http-facts.ts'

/** An HTTP/2 request in the form of an HTTP/1 request. */
export interface StreamRequest {
  readonly method: string
  readonly url: string
  /** The headers without `host` and those that begin with a colon. */
  readonly headers: HeaderPairs
  /** The headers as sent, with Node's defaults. */
  readonly sent: HeaderPairs
}

/**
 * Describes the request of a `session.request` call; returns undefined for one without a URL, such as a tunnel. Source of the defaults:
 * Node, lib/internal/http2/core.js.
 */
export function readStreamRequest(session: ClientHttp2Session, given: unknown): StreamRequest | undefined {
  const pairs = toHeaderPairs(given as HeaderSource)
  const defaults: [string, string][] = []
  const read = (name: string, value: () => string): string => {
    const known = headerValue(pairs, name)
    if (known !== undefined) return known
    defaults.push([name, value()])
    return value()
  }
  const method = read(':method', () => 'GET')
  const authority = headerValue(pairs, 'host') ?? read(':authority', () => ofSession(session, 'authority') ?? 'localhost')
  const scheme = read(':scheme', () => (ofSession(session, 'protocol') ?? 'https:').replace(/:$/, ''))
  const path = read(':path', () => '/')
  const url = `${scheme}://${headerValue(pairs, ':authority') ?? authority}${path === '*' ? '/' : path}`
  if (method === 'CONNECT' || !URL.canParse(url)) return undefined
  return {
    method,
    url: new URL(url).href,
    headers: pairs.filter(([name]) => !name.startsWith(':') && name !== 'host'),
    sent: [...defaults, ...pairs],
  }
}

/** Returns what Node keeps of the address for which a session was opened. */
function ofSession(session: ClientHttp2Session, name: 'authority' | 'protocol'): string | undefined {
  const key = Object.getOwnPropertySymbols(session).find(({ description }) => description === name)
  const value: unknown = key && Reflect.get(session, key)
  return typeof value === 'string' ? value : undefined
}

/** Returns whether a request has no body, because the agent or the method says so. */
export function isBodiless(method: string, options: unknown): boolean {
  const { endStream } = (options ?? {}) as { readonly endStream?: boolean }
  return endStream ?? ['GET', 'HEAD', 'DELETE'].includes(method)
}
