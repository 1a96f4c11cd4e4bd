import { isUint8Array } from 'node:util/types'
import { textFromBytes } from '../../trace/body.ts'
import { ProtobufReader } from './protobuf-reader.ts'
import { writeMessage } from './write-message.ts'

/**
 * A protobuf message without its schema: its fields by number. A repeated field is an array. A value without a plain form names its type:
 * `{ "$bytes": "\u0001" }`, one character per byte.
 */
export type MessageFields = { readonly [field: string]: unknown }

/** A message that is not protobuf (JSON, text or bytes), or one with an unknown compression. */
export type OtherMessage =
  | { readonly $json: unknown }
  | { readonly $text: string }
  | { readonly $bytes: string }
  | { readonly $compressed: string }

/** A gRPC message as a trace has it. */
export type ReadMessage = MessageFields | OtherMessage

/** Messages nested deeper than this are kept as bytes. Source: protobuf's own limit is 100. */
const deepest = 50

/**
 * Reads a gRPC message. `writeMessage` turns the result into the same bytes again.
 *
 * @note The bytes do not distinguish texts from messages. Content that reads as text is a text.
 */
export function readMessage(bytes: Uint8Array): ReadMessage {
  const json = jsonOf(bytes)
  if (json !== undefined) return { $json: json }
  const text = textFromBytes(bytes)
  const fields = readFields(bytes, 0)
  const isFields = fields !== undefined && isSame(writeMessage(fields), bytes)
  // Text may look like fields, but rarely with the fields in order.
  const isWords = text !== undefined && !unprintable.test(text)
  if (isFields && !('$fields' in fields && isWords)) return fields
  return text === undefined ? { $bytes: latin1(bytes) } : { $text: text }
}

/** Returns a `chunk` row's line for metadata or for a message that was read. */
export function line(value: unknown): Uint8Array {
  return Buffer.from(`${JSON.stringify(value)}\n`)
}

type Field = readonly [number: number, value: unknown]

/** Returns undefined if the bytes are not a message. */
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

/** Field numbers have at most 29 bits. */
const maximalTag = 2n ** 32n - 1n

/** Reads a field's value by its wire type. Source: protobuf.dev/programming-guides/encoding. Groups are deprecated, and are bytes here. */
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

/** Reads a text, a nested message, or bytes. */
function readContent(content: Uint8Array, depth: number): unknown {
  const text = textFromBytes(content)
  const isText = text !== undefined && !unprintable.test(text)
  // A message whose first field is a text begins with the byte of a line feed.
  if (isText && content[0] !== lineFeed) return text
  return readFields(content, depth + 1) ?? (isText ? text : { $bytes: latin1(content) })
}

const lineFeed = 10

// oxlint-disable-next-line no-control-regex -- what no text has
const unprintable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/

/** Returns a number if the bytes are one, or else the bytes in hexadecimal. */
function fixed(kind: string, bytes: Uint8Array | undefined, read: (view: DataView) => number): unknown {
  if (bytes === undefined) return undefined
  const number = read(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  const isPlain = Number.isFinite(number) && !Object.is(number, -0) && (number === 0 || Math.abs(number) > 1e-30)
  return { [kind]: isPlain ? number : Buffer.from(bytes).toString('hex') }
}

/** Returns whether the fields are ordered by their numbers. */
function isInOrder(fields: readonly Field[]): boolean {
  return fields.every(([number], index) => index === 0 || number >= (fields[index - 1]?.[0] ?? 0))
}

function grouped(fields: readonly Field[]): MessageFields {
  const groups = Object.entries(Object.groupBy(fields, ([number]) => number))
  return Object.fromEntries(
    groups.map(([number, group = []]) => [number, group.length === 1 ? group[0]?.[1] : group.map(([, value]) => value)]),
  )
}

/** Some services send JSON instead of protobuf. Accepts only JSON that serializes to the same text. */
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
