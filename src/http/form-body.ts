import type { HeaderPairs } from '../trace/rows.ts'
import { headerValue } from './headers.ts'

/** A request body that undici itself serializes when it sends it. */
export type FormBody = FormData | Blob

/** The bytes of a form or a blob, and the headers with the content type that goes with them. */
export interface ReadFormBody {
  readonly bytes: Uint8Array
  readonly headers: HeaderPairs
}

/** Whether a body is a form or a blob: Node's own, or that of a copy of undici. */
export function isFormBody(body: unknown): body is FormBody {
  if (typeof body !== 'object' || body === null || !(Symbol.toStringTag in body)) return false
  const tag = body[Symbol.toStringTag]
  return tag === 'FormData' || tag === 'Blob' || tag === 'File'
}

/** Reads a form or a blob, besides undici. A form gets a different boundary each time; its parts are compared. */
export async function readFormBody(body: FormBody, headers: HeaderPairs): Promise<ReadFormBody> {
  const response = new Response('arrayBuffer' in body ? body : copyForm(body))
  const type = response.headers.get('content-type')
  const bytes = new Uint8Array(await response.arrayBuffer())
  const isTyped = type === null || type === '' || headerValue(headers, 'content-type') !== undefined
  return { bytes, headers: isTyped ? headers : [...headers, ['content-type', type]] }
}

/** Node's Response takes only Node's forms. */
function copyForm(form: FormData): FormData {
  const copy = new FormData()
  for (const [name, value] of form) copy.append(name, value)
  return copy
}
