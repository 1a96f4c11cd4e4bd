import { isDeeperThan } from './json.ts'
import type { HttpBody } from './rows.ts'
import { MAX_DEPTH } from './value-writer.ts'
import { orElse } from './or-else.ts'

/**
 * Returns a body as a trace keeps it: as JSON if printing the parsed value gives the same text, else as text if it is UTF-8, else as bytes. Zero
 * bytes give no body. `contentType` is the header's value; event streams and multipart bodies are not tried as JSON.
 */
export function bodyFromBytes(bytes: Uint8Array, contentType?: string): HttpBody {
  if (bytes.length === 0) return {}
  const text = textFromBytes(bytes)
  return text === undefined ? { bytes } : bodyFromText(text, contentType)
}

/** Like `bodyFromBytes`, for a body that is known to be UTF-8. */
export function bodyFromText(text: string, contentType?: string): HttpBody {
  if (text === '') return {}
  const json = mayBeJson(text, contentType) ? canonicalJson(text) : undefined
  return json === undefined ? { text } : { json }
}

/**
 * Returns the body of a request that is known to be UTF-8: as JSON if printing it again, with or without the same indentation, gives the same text. A
 * request is never sent again, and indented JSON (from older SDKs) asks for the same thing.
 */
export function requestBodyFromText(text: string): HttpBody {
  const body = bodyFromText(text)
  const json = body.text === undefined ? undefined : laidOutJson(text)
  return json === undefined ? body : { json }
}

/** Returns the exact bytes from which a body was made, in memory of their own that the caller may change. */
export function bytesOfBody(body: HttpBody): Uint8Array {
  if (body.bytes !== undefined) return new Uint8Array(body.bytes)
  if (body.text !== undefined) return new TextEncoder().encode(body.text)
  // `json: null` is the body `null`; only an absent field means no body.
  return body.json === undefined ? new Uint8Array() : new TextEncoder().encode(JSON.stringify(body.json))
}

/** Concatenates all parts. */
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

/** Decodes bytes as UTF-8; undefined if they are not valid UTF-8. */
export function textFromBytes(bytes: Uint8Array): string | undefined {
  return orElse(() => decoder.decode(bytes), undefined)
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
