import { EventStreamCodec } from '@smithy/core/event-streams'
import { recordOf, textOf } from './json-fields.ts'
import { parseJson } from '../trace/json.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const codec = new EventStreamCodec(
  (bytes) => (typeof bytes === 'string' ? bytes : decoder.decode(bytes)),
  (text) => encoder.encode(text),
)

/** Returns whether bytes are frames of an AWS event stream. They begin with their length, whose first byte is 0 below 16 MB; no text begins with 0. */
export function isEventStream(bytes: Uint8Array): boolean {
  return bytes[0] === 0
}

/**
 * Returns the events of an AWS event stream, each as `{ [its type]: payload }`, like the SDKs; exceptions as `{ error: { type, message } }`. A
 * truncated frame is omitted. A damaged frame becomes an error and ends the list: the next frame's start is unknown.
 *
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/RESTSelectObjectAppendix.html
 */
export function readFrames(bytes: Uint8Array): readonly unknown[] {
  const events: unknown[] = []
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let offset = 0; offset + 4 <= bytes.length;) {
    const length = view.getUint32(offset)
    if (length > 0 && offset + length > bytes.length) break
    try {
      events.push(readFrame(bytes.subarray(offset, offset + length)))
    } catch (error) {
      events.push({ error: { type: 'unreadable', message: error instanceof Error ? error.message : String(error) } })
      break
    }
    offset += length
  }
  return events
}

/** Encodes one event as a frame. */
export function writeFrame(type: string, payload: unknown): Uint8Array<ArrayBuffer> {
  const header = (value: string): { readonly type: 'string'; readonly value: string } => ({ type: 'string', value })
  const frame = codec.encode({
    headers: { ':event-type': header(type), ':content-type': header('application/json'), ':message-type': header('event') },
    body: encoder.encode(JSON.stringify(payload)),
  })
  return new Uint8Array(frame)
}

function readFrame(bytes: Uint8Array): unknown {
  const { headers, body } = codec.decode(bytes)
  const headerOf = (name: string): string | undefined => textOf(headers[name]?.value)
  const text = decoder.decode(body)
  const json = parseJson(text)
  const payload = json === undefined ? text : json
  if (headerOf(':message-type') === 'event') return { [headerOf(':event-type') ?? 'event']: payload }
  const type = headerOf(':exception-type') ?? headerOf(':error-code') ?? 'error'
  return { error: { type, message: textOf(recordOf(payload)['message']) ?? headerOf(':error-message') ?? text } }
}
