import { lazily } from '../remember.ts'
import type { Effect, RequestEffects } from '../boundary.ts'
import { parseJson } from '../json.ts'
import type { HttpBody } from '../rows.ts'
import { readsStore } from '../store-reads.ts'
import { isGraphqlQuery } from './graphql.ts'
import { isMcpRead } from './mcp-messages.ts'
import { patternsOf, readingRequests } from './reading-requests.ts'
import { anyOf, toRequestPattern, type RequestPattern } from './request-pattern.ts'

/** The parts of a request that show whether it changes something. */
export interface AskedRequest extends HttpBody {
  readonly method: string
  readonly url: string
}

/** Returns whether a request may change something: as declared, else as its method says, unless it is known to only read. */
export function mayWrite(request: AskedRequest, effects: RequestEffects | undefined): boolean {
  const declared = declaredEffect(request, effects)
  if (declared !== undefined) return declared === 'write'
  const method = request.method.toUpperCase()
  if (['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(method)) return false
  return method !== 'POST' || !(byAddress()(method, request.url) || readsByBody(request) || readsStore(request))
}

/** Returns the declared effect of a request. Undefined if no pattern matches it. */
export function declaredEffect({ method, url }: AskedRequest, effects: RequestEffects | undefined): Effect | undefined {
  return effects && compile(effects).find(([matches]) => matches(method, url))?.[1]
}

type Patterns = readonly (readonly [matches: RequestPattern, effect: Effect])[]

const compiled = new WeakMap<RequestEffects, Patterns>()

function compile(effects: RequestEffects): Patterns {
  const known = compiled.get(effects)
  if (known !== undefined) return known
  const patterns = Object.entries(effects).map(([pattern, effect]) => [toRequestPattern(pattern) ?? (() => false), effect] as const)
  compiled.set(effects, patterns)
  return patterns
}

/** One expression for all rows without a condition: it is tried on every request of a run. */
const byAddress = lazily(() => anyOf(readingRequests.filter(({ readsBy }) => readsBy === undefined).flatMap(patternsOf)))

const byBody = lazily(() =>
  readingRequests.flatMap((row) => (row.readsBy === undefined ? [] : [{ matches: anyOf(patternsOf(row)), readsBy: row.readsBy }])),
)

function readsByBody({ url, json, text = '' }: AskedRequest): boolean {
  const readsBy = byBody().find(({ matches }) => matches('POST', url))?.readsBy
  // Most bodies are neither, and parsing one takes time on the agents' thread.
  if (readsBy === undefined && json === undefined && !/"(?:jsonrpc|query)"/.test(text)) return false
  const body = json ?? parseJson(text)
  return readsBy === undefined ? isMcpRead(body) || isGraphqlQuery(body) : readsBy(body)
}
