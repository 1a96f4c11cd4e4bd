import { type ExchangeBody, textOfBody } from '../models/shared-data.ts'

/** A body's bytes. */
export function bytesOf(body: ExchangeBody): Buffer {
  return body.bodyEncoding === 'base64' ? Buffer.from(String(body.body), 'base64') : Buffer.from(textOfBody(body))
}

/** A body in the pieces that its provider sends: an event at a time, of whichever kind of stream it is, or the whole. */
export function piecesOf(body: ExchangeBody): Buffer[] {
  const bytes = bytesOf(body)
  if (bytes.length === 0) return []
  const frames = framesOf(bytes)
  if (frames.length > 0) return frames
  const text = bytes.toString('latin1')
  if (!/^(event|data|id|:)/.test(text)) return [bytes]
  return text
    .split(/(?<=\r?\n\r?\n)/)
    .filter((event) => event !== '')
    .map((event) => Buffer.from(event, 'latin1'))
}

/** The messages of an AWS event stream; none where it is something else. Source: Smithy, "Amazon Event Stream": the length is the first of the prelude. */
function framesOf(bytes: Buffer): Buffer[] {
  const frames: Buffer[] = []
  for (let offset = 0; offset < bytes.length;) {
    const length = offset + 12 <= bytes.length ? bytes.readUInt32BE(offset) : 0
    if (length < 16 || offset + length > bytes.length) return []
    frames.push(bytes.subarray(offset, offset + length))
    offset += length
  }
  return frames
}
