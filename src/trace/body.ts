import { isDeeperThan } from './json.ts'
import type { HttpBody } from './rows.ts'
import { MAX_DEPTH } from './value-writer.ts'

/**
 * A body as a trace keeps it: as JSON where printing the parsed value again gives the same text, else as text where it is UTF-8, else as bytes.
 * No bytes give no body. `contentType` is the header's value; event streams and multipart bodies are not tried as JSON.
 */
export function bodyFromBytes(bytes: Uint8Array, contentType?: string): HttpBody {
  if (bytes.length === 0) return {}
  const text = textFromBytes(bytes)
  return text === undefined ? { bytes } : bodyFromText(text, contentType)
}

/** The same for a body that is known to be UTF-8. */
export function bodyFromText(text: string, contentType?: string): HttpBody {
  if (text === '') return {}
  const json = mayBeJson(text, contentType) ? canonicalJson(text) : undefined
  return json === undefined ? { text } : { json }
}

/**
 * The body of a request that is known to be UTF-8: as JSON where printing it again gives the same text, with the same indentation too. A request is
 * never sent again, and JSON that is laid out (by older SDKs) asks for the same.
 */
export function requestBodyFromText(text: string): HttpBody {
  const body = bodyFromText(text)
  const json = body.text === undefined ? undefined : laidOutJson(text)
  return json === undefined ? body : { json }
}

/** The bytes that a body stands for: exactly those that it was made of, but memory of their own, which whoever gets them may change. */
export function bytesOfBody(body: HttpBody): Uint8Array {
  if (body.bytes !== undefined) return new Uint8Array(body.bytes)
  if (body.text !== undefined) return new TextEncoder().encode(body.text)
  // `json: null` is the body `null`; only an absent field is no body.
  return body.json === undefined ? new Uint8Array() : new TextEncoder().encode(JSON.stringify(body.json))
}

/** The bytes of all parts, one after the other. */
export function concatBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let offset = 0
  for (const part of parts) {
    bytes.set(part, offset)
    offset += part.length
  }
  return bytes
}

// A byte order mark is part of the bytes, so it has to stay in the text.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text that bytes are in UTF-8; undefined where they are none. */
export function textFromBytes(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

function mayBeJson(text: string, contentType: string | undefined): boolean {
  if (contentType === undefined || /[/+]json\b/i.test(contentType)) return true
  return (text.startsWith('{') || text.startsWith('[')) && !/event-stream|multipart/i.test(contentType)
}

function laidOutJson(text: string): unknown {
  const [, indent] = /^[{[]\n([ \t]+)\S/.exec(text) ?? []
  return indent === undefined ? undefined : canonicalJson(text, indent)
}

function canonicalJson(text: string, indent?: string): unknown {
  try {
    const json: unknown = JSON.parse(text)
    return JSON.stringify(json, undefined, indent) === text && !isDeeperThan(json, MAX_DEPTH) ? json : undefined
  } catch {
    return undefined
  }
}
