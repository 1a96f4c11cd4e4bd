import { isReserved } from '../trace/json.ts'
import { isFields } from './same-value.ts'

const multipart = /^multipart\/[^;]+;.*?\bboundary=(?:"([^"]+)"|([^\s;]+))/i

/** The word that replaces every multipart boundary, because clients draw a new one for each request. */
const fixedBoundary = 'boundary'

/** The compared fields of a part of a multipart body. */
export interface BodyPart {
  readonly name?: string
  readonly filename?: string
  readonly type?: string
  /** Text, or bytes in recorded form. */
  readonly content: unknown
}

/** The boundary that a content type names; undefined if it is not multipart. */
export function boundaryOf(contentType: string): string | undefined {
  const match = multipart.exec(contentType)
  return match?.[1] ?? match?.[2]
}

/** The content type, with the fixed word as its boundary. */
export function fixContentType(contentType: string, boundary: string): string {
  return contentType.replace(boundary, fixedBoundary)
}

/**
 * The parts of a multipart body in recorded form: its text, or its bytes. A body that does not match its content type is compared as is,
 * with the fixed word as its boundary. Anything else is returned unchanged.
 */
export function readParts(body: unknown, boundary: string): unknown {
  const bytes = latin1Of(body)
  const raw = typeof body === 'string' ? body : bytes
  if (raw === undefined) return body
  const parts = splitParts(raw, boundary)?.map((part) => readPart(part, bytes !== undefined))
  return parts === undefined || parts.includes(undefined) ? raw.replaceAll(`--${boundary}`, `--${fixedBoundary}`) : parts
}

/** The texts between the boundaries; undefined if the last boundary is missing. */
function splitParts(raw: string, boundary: string): string[] | undefined {
  const [, ...pieces] = `\r\n${raw}`.split(`\r\n--${boundary}`)
  const end = pieces.pop()
  return end?.startsWith('--') === true ? pieces.map((piece) => piece.replace(/^[ \t]*\r\n/, '')) : undefined
}

function readPart(part: string, isBytes: boolean): BodyPart | undefined {
  // A part without headers begins with the empty line that ends the headers.
  const whole = part.startsWith('\r\n') ? `\r\n${part}` : part
  const end = whole.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const headers = new Map(whole.slice(0, end).split('\r\n').map(readHeader))
  const disposition = headers.get('content-disposition') ?? ''
  const name = parameterOf(disposition, 'name')
  const filename = parameterOf(disposition, 'filename') ?? parameterOf(disposition, String.raw`filename\*`)
  const type = headers.get('content-type')
  const content = whole.slice(end + 4)
  return {
    ...(name === undefined ? {} : { name: isBytes ? utf8Of(name) : name }),
    ...(filename === undefined ? {} : { filename: isBytes ? utf8Of(filename) : filename }),
    ...(type === undefined ? {} : { type }),
    content: isBytes ? readContent(content) : content,
  }
}

function readHeader(line: string): [string, string] {
  const colon = line.indexOf(':')
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
}

function parameterOf(header: string, name: string): string | undefined {
  const match = new RegExp(String.raw`;\s*${name}=(?:"((?:[^"\\]|\\.)*)"|([^\s;]+))`, 'i').exec(header)
  return match?.[1] ?? match?.[2]
}

/** Recorded bytes, one character per byte. The lines between parts are ASCII, whatever the files between them contain. */
function latin1Of(body: unknown): string | undefined {
  const recorded = isFields(body) && isReserved(body) ? body['$'] : undefined
  const base64 = isFields(recorded) ? recorded['bytes'] : undefined
  return typeof base64 === 'string' ? atob(base64) : undefined
}

/** Text if the bytes are UTF-8, so that a part is the same whatever its neighbours contain. */
function readContent(latin1: string): unknown {
  const text = utf8Of(latin1)
  return text.includes('\uFFFD') ? { $: { bytes: btoa(latin1) } } : text
}

function utf8Of(latin1: string): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(latin1, (character) => character.charCodeAt(0)))
}
