import type { HeaderPairs } from '../trace/http-facts.ts'
import { headerValue } from './headers.ts'

/** A request body that undici serializes when it sends it. */
export type FormBody = FormData | Blob

/** The bytes of a form or a blob, and the headers including its content type. */
export interface ReadFormBody {
  readonly bytes: Uint8Array
  readonly headers: HeaderPairs
}

/** Returns whether a body is a form or a blob, from Node or from a copy of undici. */
export function isFormBody(body: unknown): body is FormBody {
  if (typeof body !== 'object' || body === null || !(Symbol.toStringTag in body)) return false
  const tag = body[Symbol.toStringTag]
  return tag === 'FormData' || tag === 'Blob' || tag === 'File'
}

/** Reads a form or a blob independently of undici. A form gets a different boundary each time; its parts are compared. */
export async function readFormBody(body: FormBody, headers: HeaderPairs): Promise<ReadFormBody> {
  const response = new Response('arrayBuffer' in body ? body : copyForm(body))
  const type = response.headers.get('content-type')
  const bytes = new Uint8Array(await response.arrayBuffer())
  const isTyped = type === null || type === '' || headerValue(headers, 'content-type') !== undefined
  return { bytes, headers: isTyped ? headers : [...headers, ['content-type', type]] }
}

/** Copies a form, because Node's Response accepts only Node's forms. */
function copyForm(form: FormData): FormData {
  const copy = new FormData()
  for (const [name, value] of form) copy.append(name, value)
  return copy
}
