import { dialectNamed } from '../models/dialects.ts'
import { renameToolCallIds } from '../models/tool-call-ids.ts'
import { isReserved } from '../trace/json.ts'
import type { Boundary } from '../trace/boundary.ts'
import { boundaryOf, fixBoundary, fixContentType } from './multipart.ts'

/** What of an input says what the call asks for: two calls whose normal inputs are equal are the same call. */
export interface NormalInput {
  /** The arguments of a tool or external. */
  readonly args?: unknown
  readonly method?: string
  readonly url?: string
  /** By lower-case name; the values of a repeated one are joined. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Where a provider's URL names it and the body does not. */
  readonly model?: string
}

/**
 * Takes from an input, in recorded form, what is compared of it. Of a function's that is all. Of a model call it is headers and body, with the
 * ids that the provider gave to tool calls renamed: its host is left out, because a gateway or another base URL is drift. The boundary of a
 * multipart body is a fixed word.
 */
export function normalInput(boundary: Boundary, name: string, input: unknown): NormalInput {
  if (boundary === 'tool' || boundary === 'external') return { args: input }
  const http = isRecord(input) ? input : {}
  const headers = readHeaders(http['headers'])
  const contentType = headers['content-type'] ?? ''
  const multipartBoundary = boundaryOf(contentType)
  if (multipartBoundary !== undefined) headers['content-type'] = fixContentType(contentType, multipartBoundary)
  const body = readBody(http, multipartBoundary)
  const [method, url] = [textOf(http['method']), textOf(http['url'])]
  if (boundary === 'http') return { method, url, headers, ...(body === undefined ? {} : { body }) }
  const dialect = dialectNamed(name)
  if (dialect === undefined || http['json'] === undefined) return { headers, ...(body === undefined ? {} : { body }) }
  const model = isRecord(body) && body['model'] !== undefined ? '' : dialect.request(body, url).model
  return { headers, body: renameToolCallIds(body, dialect), ...(model === '' ? {} : { model }) }
}

function readHeaders(pairs: unknown): Record<string, string> {
  const headers = new Map<string, string>()
  for (const pair of Array.isArray(pairs) ? (pairs as readonly unknown[]) : []) {
    if (!Array.isArray(pair)) continue
    const [name, value] = [String(pair[0]), String(pair[1])]
    const known = headers.get(name)
    headers.set(name, known === undefined ? value : `${known}, ${value}`)
  }
  return Object.fromEntries(headers)
}

function readBody({ json, text, bytes }: Readonly<Record<string, unknown>>, multipartBoundary: string | undefined): unknown {
  const body = json === undefined ? (text ?? bytes) : json
  if (multipartBoundary === undefined) return body
  const raw = typeof body === 'string' ? body : latin1Of(body)
  return raw === undefined ? body : fixBoundary(raw, multipartBoundary)
}

/** Recorded bytes, one character a byte: the boundary's lines are ASCII, whatever file stands between them. */
function latin1Of(body: unknown): string | undefined {
  const recorded = isRecord(body) && isReserved(body) ? body['$'] : undefined
  const base64 = isRecord(recorded) ? recorded['bytes'] : undefined
  return typeof base64 === 'string' ? atob(base64) : undefined
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
