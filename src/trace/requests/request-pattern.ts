/** Returns whether a pattern matches a request. The URL's query is ignored. */
export type RequestPattern = (method: string, url: string) => boolean

const FORM = /^([A-Z]+) ((?:\[[^\]]+\]|[^/\s?#:[\]]+)(?::\d+)?)(\/[^\s?#]*)$/

/**
 * Reads a pattern of requests, such as `POST search.example/v1/*`: method, host and path, as reports print a request. `*` matches any part of a host
 * or of one path segment, `/**` any number of segments. A host without a port matches every port. Returns undefined for a text of another form.
 */
export function toRequestPattern(pattern: string): RequestPattern | undefined {
  return FORM.test(pattern) ? anyOf([pattern]) : undefined
}

/** Returns a pattern that matches what any of the patterns matches. */
export function anyOf(patterns: readonly string[]): RequestPattern {
  // Patterns with the same beginning share it: it is matched once, and not again for each of them.
  // @note `Map.groupBy` is missing on the old Nodes that load this to run agents unrecorded.
  const groups = new Map<string, string[]>()
  for (const [beginning, rest] of patterns.map(split)) groups.set(beginning, [...(groups.get(beginning) ?? []), rest])
  const sources = [...groups].map(([beginning, group]) => `${beginning}(?:${group.join('|')})`)
  const expression = new RegExp(`^(?:${sources.join('|')})/?$`)
  return (method, url) => expression.test(`${method.toUpperCase()} ${url.replace(/[?#].*$/, '').replace(/^\w+:\/\//, '')}`)
}

/** Returns the source of an expression, in two parts: method, host and a first `/**`, and the rest. */
function split(pattern: string): [beginning: string, rest: string] {
  const [, method = '', host = '', path = ''] = FORM.exec(pattern) ?? []
  const [, any = '', rest = ''] = /^(\/\*\*(?=\/))?(.*?)\/?$/.exec(path) ?? []
  const port = /:\d+$/.test(host) ? '' : String.raw`(?::\d+)?`
  return [`${method} ${toExpression(host.toLowerCase())}${port}${toExpression(any)}`, toExpression(rest)]
}

function toExpression(pattern: string): string {
  return pattern
    .split(/(\/\*\*(?=\/|$)|\*)/)
    .map((part) => meanings[part] ?? part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join('')
}

const meanings: Readonly<Record<string, string>> = { '/**': '(?:/[^/]*)*', '*': '[^/]*' }
