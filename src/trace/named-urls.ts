import type { Boundary } from './boundary.ts'

/** The parts of a call by which a project names it. */
export interface NamedCall {
  readonly boundary: Boundary
  /** The name of a tool or an external, the dialect of a model call, or the host of any other HTTP call. */
  readonly name: string
  /** An `HttpInput` for `model` and `http`. */
  readonly input?: unknown
}

/** Returns whether a call is one of those named: by its own name, or by a URL that its URL begins with. */
export function isNamedCall({ boundary, name, input }: NamedCall, names: readonly string[]): boolean {
  if (names.includes(name)) return true
  if (boundary !== 'http' && boundary !== 'model') return false
  const url = (input as { readonly url?: unknown } | undefined)?.url
  return typeof url === 'string' && names.some((each) => isUrlName(each) && isBelowUrl(url, each))
}

/** Returns whether a name is a URL (`https://api.example/v1/track`), not a host or the name of a function. */
export function isUrlName(name: string): boolean {
  return name.includes('://')
}

/**
 * Returns whether a URL begins with another: with the same host and port, and with the segments of its path. The protocol does not count, because gRPC
 * and redirects do not tell it.
 */
export function isBelowUrl(url: string, named: string): boolean {
  const [asked, base] = [parse(url), parse(named)]
  if (asked === undefined || base === undefined || asked.host !== base.host) return false
  const path = base.pathname.replace(/\/$/, '')
  return asked.pathname === path || asked.pathname.startsWith(`${path}/`)
}

/** A URL in a trace may have a stand-in where its host was. */
function parse(url: string): URL | undefined {
  return URL.canParse(url) ? new URL(url) : undefined
}
