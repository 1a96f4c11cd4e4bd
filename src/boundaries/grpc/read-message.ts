import { isUint8Array } from 'node:util/types'
import { textFromBytes } from '../../trace/body.ts'
import { ProtobufReader } from './protobuf-reader.ts'
import { writeMessage } from './write-message.ts'

/**
 * A message of protobuf without its schema: its fields by their numbers. A field that comes several times is an array. What has no plain form says what it
 * is: `{ "$bytes": "\u0001" }`, a character for each byte.
 */
export type MessageFields = { readonly [field: string]: unknown }

/** A message that is no protobuf: JSON, text or bytes; or one that is compressed in a way that is not known. */
export type OtherMessage =
  | { readonly $json: unknown }
  | { readonly $text: string }
  | { readonly $bytes: string }
  | { readonly $compressed: string }

/** A message of gRPC as a trace has it. */
export type ReadMessage = MessageFields | OtherMessage

/** Messages are nested no deeper than this; what is deeper is bytes. Source: protobuf's own limit is 100. */
const deepest = 50

/**
 * Reads a message of gRPC. `writeMessage` makes the same bytes of it again.
 *
 * @note The bytes do not say what is a text and what is a message. What can be read as a text is one.
 */
export function readMessage(bytes: Uint8Array): ReadMessage {
  const json = jsonOf(bytes)
  if (json !== undefined) return { $json: json }
  const text = textFromBytes(bytes)
  const fields = readFields(bytes, 0)
  const isFields = fields !== undefined && isSame(writeMessage(fields), bytes)
  // Words may look like fields, but rarely in order.
  const isWords = text !== undefined && !unprintable.test(text)
  if (isFields && !('$fields' in fields && isWords)) return fields
  return text === undefined ? { $bytes: latin1(bytes) } : { $text: text }
}

/** What a call gives as a `chunk` row has it: metadata, or a message that was read. */
export function line(value: unknown): Uint8Array {
  return Buffer.from(`${JSON.stringify(value)}\n`)
}

type Field = readonly [number: number, value: unknown]

/** Undefined for what is no message. */
function readFields(bytes: Uint8Array, depth: number): MessageFields | undefined {
  if (depth > deepest) return undefined
  const reader = new ProtobufReader(bytes)
  const fields: Field[] = []
  while (!reader.isAtEnd) {
    const tag = reader.varint()
    if (tag === undefined || tag > maximalTag || tag < 8n) return undefined
    const value = readValue(reader, Number(tag & 7n), depth)
    if (value === undefined) return undefined
    fields.push([Number(tag >> 3n), value])
  }
  return isInOrder(fields) ? grouped(fields) : { $fields: fields }
}

/** Field numbers have 29 bits. */
const maximalTag = 2n ** 32n - 1n

/** The value of a field by its wire type. Source: protobuf.dev/programming-guides/encoding. Groups are deprecated, and are bytes here. */
function readValue(reader: ProtobufReader, wireType: number, depth: number): unknown {
  switch (wireType) {
    case 0: {
      const value = reader.varint()
      if (value === undefined) return undefined
      return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : { $varint: String(value) }
    }
    case 1:
      return fixed('$fixed64', reader.take(8), (view) => view.getFloat64(0, true))
    case 2: {
      const length = reader.varint()
      const content = length === undefined || length > 2n ** 31n ? undefined : reader.take(Number(length))
      return content && readContent(content, depth)
    }
    case 5:
      return fixed('$fixed32', reader.take(4), (view) => view.getFloat32(0, true))
    default:
      return undefined
  }
}

/** A text, a nested message, or bytes. */
function readContent(content: Uint8Array, depth: number): unknown {
  const text = textFromBytes(content)
  const isText = text !== undefined && !unprintable.test(text)
  // A message that begins with a text as its first field begins like a line feed.
  if (isText && content[0] !== lineFeed) return text
  return readFields(content, depth + 1) ?? (isText ? text : { $bytes: latin1(content) })
}

const lineFeed = 10

// oxlint-disable-next-line no-control-regex -- what no text has
const unprintable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/

/** A number where it is one, else the bytes in hexadecimal. */
function fixed(kind: string, bytes: Uint8Array | undefined, read: (view: DataView) => number): unknown {
  if (bytes === undefined) return undefined
  const number = read(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  const isPlain = Number.isFinite(number) && !Object.is(number, -0) && (number === 0 || Math.abs(number) > 1e-30)
  return { [kind]: isPlain ? number : Buffer.from(bytes).toString('hex') }
}

/** Whether the order of the fields follows from their numbers. */
function isInOrder(fields: readonly Field[]): boolean {
  return fields.every(([number], index) => index === 0 || number >= (fields[index - 1]?.[0] ?? 0))
}

function grouped(fields: readonly Field[]): MessageFields {
  const groups = Object.entries(Object.groupBy(fields, ([number]) => number))
  return Object.fromEntries(
    groups.map(([number, group = []]) => [number, group.length === 1 ? group[0]?.[1] : group.map(([, value]) => value)]),
  )
}

/** Some services have JSON in place of protobuf. Only what is printed the same again. */
function jsonOf(bytes: Uint8Array): unknown {
  const text = bytes[0] === undefined || !jsonStarts.has(bytes[0]) ? undefined : textFromBytes(bytes)
  if (text === undefined) return undefined
  try {
    const json: unknown = JSON.parse(text)
    return JSON.stringify(json) === text ? json : undefined
  } catch {
    return undefined
  }
}

const jsonStarts = new Set(Buffer.from('{["'))

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}

function isSame(one: unknown, other: Uint8Array): boolean {
  return isUint8Array(one) && Buffer.compare(one, other) === 0
}
