import { builtins } from '../node/builtins.ts'
import { applyEdits, type Edit } from './edits.ts'
import { printableEdits } from './printable-bytes.ts'

/** What a frame of an AWS event stream says of itself before its headers. All of a frame is given as characters (latin1). */
export interface FramePrelude {
  /** Of the whole frame. */
  readonly length: number
  readonly headersLength: number
}

/** The length of the frame, the length of its headers, and a checksum of the two. */
export const preludeLength = 12

/** The length of the checksum of all that stands before it, at a frame's end. */
export const checksumLength = 4

/** The prelude that bytes begin with; undefined where they are no frame's, or too few. */
export function readPrelude(bytes: string): FramePrelude | undefined {
  // The first byte is 0 below 16 MB, and no frame is longer.
  if (bytes.length < preludeLength || bytes[0] !== '\0') return undefined
  const prelude = Buffer.from(bytes.slice(0, preludeLength), 'latin1')
  const [length, headersLength, checksum] = [prelude.readUInt32BE(0), prelude.readUInt32BE(4), prelude.readUInt32BE(8)]
  if (checksum !== builtins.zlib.crc32(prelude.subarray(0, 8)) || headersLength > length - preludeLength - checksumLength) return undefined
  return { length, headersLength }
}

/** A frame with other headers and another payload, its lengths and checksums made new. One whose checksum was wrong has a wrong one again. */
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

/** A frame's headers with what stands in their texts redacted: an error has its message there. */
export function redactFrameHeaders(headers: string, edits: (text: string) => readonly Edit[]): string {
  let redacted = ''
  let at = 0
  while (at < headers.length) {
    const name = headers.slice(at, at + 1 + headers.charCodeAt(at))
    const type = headers.charCodeAt(at + name.length)
    const start = at + name.length + 1
    const size = sizes[type] ?? 2 + headers.charCodeAt(start) * 256 + headers.charCodeAt(start + 1)
    // What is in no such form is read by nobody, and kept without what stands in it as text.
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

/** How many bytes the value of a header has, by its type; bytes and texts say it themselves. */
const sizes: readonly (number | undefined)[] = [0, 0, 1, 2, 4, 8, undefined, undefined, 8, 16]

const textType = 7
