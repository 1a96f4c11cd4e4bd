import { dialectNamed } from '../models/dialects.ts'
import { renameToolCallIds } from '../models/tool-call-ids.ts'
import { deploymentInPath } from '../models/url-path.ts'
import type { Boundary } from '../trace/boundary.ts'
import { losslessJson } from '../trace/json.ts'
import { type FormFields, readFormFields, readModelUrl, readUrl } from './normal-url.ts'
import { boundaryOf, fixContentType, readParts } from './multipart.ts'
import { type Fields, isFields } from './same-value.ts'

/** The part of an input that identifies the call: two calls with equal normal inputs are the same call. */
export interface NormalInput {
  /** The arguments of a tool or external. */
  readonly args?: unknown
  readonly method?: string
  /** Without its query; for a model call, only the operation. */
  readonly url?: string
  /** By name. */
  readonly query?: FormFields | string
  /** By lower-case name; the values of repeated headers are joined. */
  readonly headers?: Readonly<Record<string, string>>
  /** Of a fetch that does not follow redirects. */
  readonly redirect?: string
  readonly body?: unknown
  /** For a model call, from its body or its URL. */
  readonly model?: string
}

/**
 * Reduces an input, in recorded form, to what is compared. Function inputs are compared whole. Model calls lose their base URL (a gateway is
 * drift) and the credentials in their query, and their tool-call ids are renamed. A URL's query and a urlencoded form become fields, a
 * multipart body becomes parts, and JSON loses its white space.
 */
export function normalInput(boundary: Boundary, name: string, input: unknown): NormalInput {
  if (boundary === 'tool' || boundary === 'external') return { args: input }
  const http = isFields(input) ? input : {}
  const headers = readHeaders(http['headers'])
  const contentType = headers['content-type'] ?? ''
  const multipartBoundary = boundaryOf(contentType)
  if (multipartBoundary !== undefined) headers['content-type'] = fixContentType(contentType, multipartBoundary)
  const body = readBody(http, contentType, multipartBoundary)
  const [method, url, mode] = [textOf(http['method']), textOf(http['url']), textOf(http['redirect'])]
  const redirect = mode === '' ? {} : { redirect: mode }
  if (boundary === 'http') return { method, ...readUrl(url), headers, ...redirect, ...(body === undefined ? {} : { body }) }
  const dialect = dialectNamed(name)
  const isRead = body !== (http['text'] ?? http['bytes'])
  const address = { method, ...readModelUrl(url), ...redirect }
  if (dialect === undefined || !isRead) return { ...address, headers, ...(body === undefined ? {} : { body }) }
  const renamed = renameToolCallIds(body, dialect)
  return { ...address, headers, ...liftModel(renamed, deploymentInPath(url) ?? dialect.request(body, url).model) }
}

/** Puts the model in one place, whether it comes from the body or the URL. */
function liftModel(body: unknown, model: string): Pick<NormalInput, 'model' | 'body'> {
  if (model === '') return { body }
  if (!isFields(body) || typeof body['model'] !== 'string') return { model, body }
  const { model: _, ...rest } = body
  return { model, body: rest }
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

function readBody({ json, text, bytes }: Fields, contentType: string, multipartBoundary: string | undefined): unknown {
  const body = json === undefined ? (text ?? bytes) : json
  if (multipartBoundary !== undefined) return readParts(body, multipartBoundary)
  if (json !== undefined || typeof text !== 'string') return body
  if (/^application\/x-www-form-urlencoded\b/i.test(contentType)) return readFormFields(text) ?? text
  return /^[^;]*[/+]json\b/i.test(contentType) ? (losslessJson(text) ?? text) : text
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
