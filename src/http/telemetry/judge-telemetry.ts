import { recogniseDialect } from '../../models/recognise-dialect.ts'
import { lazily, remember } from '../../trace/remember.ts'
import { toPathPattern } from '../../trace/path-pattern.ts'
import type { HeaderPairs } from '../../trace/http-facts.ts'
import { headerValue } from '../headers.ts'
import { IngestedBody } from './ingestion-bodies.ts'
import { type IngestionRequest, ingestionRequests } from './ingestion-requests.ts'
import { isHostOf } from './telemetry-hosts.ts'

/** What is known of a request when it is judged. */
export interface JudgedRequest {
  readonly method: string
  readonly url: string
  /** A function if the headers may change until the body has been written. */
  readonly headers: HeaderPairs | (() => HeaderPairs)
  /** Set once the body is known. */
  readonly ready?: { readonly body: Uint8Array | string | undefined }
}

/** Whether a request is left out of the trace. `open` until its body is known. */
export type Verdict = 'muted' | 'recorded' | 'open'

/** Returns whether a request hands telemetry to a known product. A `GET` never does, nor does a model call. */
export function judgeTelemetry({ method, url, headers, ready }: JudgedRequest): Verdict {
  if (!methods.has(method)) return 'recorded'
  const candidates = candidatesOf(url)
  if (candidates.length === 0 || recogniseDialect(method, url) !== undefined) return 'recorded'
  const sent = typeof headers === 'function' ? headers() : headers
  const body = ready && new IngestedBody(ready.body, sent)
  let verdict: Verdict = 'recorded'
  for (const { method: asked = 'POST', isAtHost, header, form } of candidates) {
    if (asked !== method) continue
    if (isAtHost || (header !== undefined && headerValue(sent, header) !== undefined)) return 'muted'
    if (form === undefined) continue
    if (body === undefined) verdict = 'open'
    else if (form.fits(body)) return 'muted'
  }
  return verdict
}

/** A row of the table for a URL. @property isAtHost The address alone tells. */
type Candidate = Pick<IngestionRequest, 'method' | 'header' | 'form'> & { readonly isAtHost: boolean }

const methods: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])

const table = lazily(() => {
  const rows = ingestionRequests.map((request) => ({ request, pattern: toPathPattern(request.path) }))
  return { rows, any: new RegExp(rows.map(({ pattern }) => pattern.source).join('|')) }
})

const candidatesOf = remember((url: string): readonly Candidate[] => {
  const { pathname } = new URL(url)
  const { rows, any } = table()
  if (!any.test(pathname)) return []
  return rows
    .filter(({ pattern }) => pattern.test(pathname))
    .map(({ request }) => {
      const { method, hosts, header, form } = request
      const isAlone = hosts === undefined && header === undefined && form === undefined
      return {
        ...(method !== undefined && { method }),
        ...(header !== undefined && { header }),
        ...(form !== undefined && { form }),
        isAtHost: isAlone || (hosts !== undefined && isHostOf(url, hosts)),
      }
    })
})
