import { builtins } from '../node/builtins.ts'
import { applyEdits, type Edit } from './edits.ts'
import { printableEdits } from './printable-bytes.ts'

/** The prelude of a frame of an AWS event stream, before its headers. The whole frame is given as characters (latin1). */
export interface FramePrelude {
  /** The length of the whole frame. */
  readonly length: number
  readonly headersLength: number
}

/** The length of a prelude: the frame's length, the headers' length, and a checksum of both. */
export const preludeLength = 12

/** The length of the checksum at a frame's end, which covers everything before it. */
export const checksumLength = 4

/** Reads the prelude at the start of bytes; undefined if they do not start a frame, or are too few. */
export function readPrelude(bytes: string): FramePrelude | undefined {
  // The first byte is 0 below 16 MB, and no frame is longer.
  if (bytes.length < preludeLength || bytes[0] !== '\0') return undefined
  const prelude = Buffer.from(bytes.slice(0, preludeLength), 'latin1')
  const [length, headersLength, checksum] = [prelude.readUInt32BE(0), prelude.readUInt32BE(4), prelude.readUInt32BE(8)]
  if (checksum !== builtins.zlib.crc32(prelude.subarray(0, 8)) || headersLength > length - preludeLength - checksumLength) return undefined
  return { length, headersLength }
}

/** Returns a frame with new headers and a new payload, with recomputed lengths and checksums. A wrong checksum stays wrong. */
export function rewriteFrame(recorded: string, headers: string, payload: string): string {
  const before = Buffer.from(recorded, 'latin1')
  const end = before.length - checksumLength
  const damage = before.readUInt32BE(end) ^ builtins.zlib.crc32(before.subarray(0, end))
  const length = preludeLength + headers.length + payload.length + checksumLength
  const frame = Buffer.alloc(length)
  frame.writeUInt32BE(length, 0)
  frame.writeUInt32BE(headers.length, 4)
  frame.writeUInt32BE(builtins.zlib.crc32(frame.subarray(0, 8)), 8)
  frame.write(headers + payload, preludeLength, 'latin1')
  frame.writeUInt32BE((builtins.zlib.crc32(frame.subarray(0, length - checksumLength)) ^ damage) >>> 0, length - checksumLength)
  return frame.toString('latin1')
}

/** Redacts the texts in a frame's headers: an error has its message there. */
export function redactFrameHeaders(headers: string, edits: (text: string) => readonly Edit[]): string {
  let redacted = ''
  let at = 0
  while (at < headers.length) {
    const name = headers.slice(at, at + 1 + headers.charCodeAt(at))
    const type = headers.charCodeAt(at + name.length)
    const start = at + name.length + 1
    const size = sizes[type] ?? 2 + headers.charCodeAt(start) * 256 + headers.charCodeAt(start + 1)
    // No reader understands headers in an unknown format. They are kept, with their text redacted.
    if (!(type <= 9 && start + size <= headers.length)) break
    const value = headers.slice(start, start + size)
    redacted += headers.slice(at, start) + (type === textType ? redactText(value.slice(2), edits) : value)
    at = start + size
  }
  return redacted + applyEdits(headers.slice(at), printableEdits(headers.slice(at), edits))
}

function redactText(value: string, edits: (text: string) => readonly Edit[]): string {
  const text = applyEdits(value, edits(value))
  return String.fromCharCode(text.length >> 8, text.length & 255) + text
}

/** The size of a header's value in bytes, by type; values of bytes and text state their own size. */
const sizes: readonly (number | undefined)[] = [0, 0, 1, 2, 4, 8, undefined, undefined, 8, 16]

const textType = 7
