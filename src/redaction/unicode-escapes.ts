import type { DecodedText } from './decoded-text.ts'

/** An escape of JSON, or of JSON within JSON. */
const escape = /(?<!\\)\\+u(?<code>[\da-fA-F]{4})/g

/** An escape of a character that JSON need not escape. */
const ofAscii = /\\u00[2-7]/

/** Decodes the escapes that JSON need not write (`\u0040`), in JSON within JSON too; undefined where there are none. */
export function decodeUnicodeEscapes(written: string): DecodedText | undefined {
  if (!written.includes('\\u00') || !ofAscii.test(written)) return undefined
  const places: number[] = []
  let text = ''
  let at = 0
  const copy = (end: number): void => {
    text += written.slice(at, end)
    for (; at < end; at += 1) places.push(at)
  }
  for (const { index, groups, 0: found } of written.matchAll(escape)) {
    copy(index)
    const code = Number.parseInt(groups?.['code'] ?? '', 16)
    // A letter beyond ASCII stays escaped, once: rules know it like that, in bytes as well.
    const decoded = code < 0x80 ? String.fromCharCode(code) : found.slice(-6)
    places.push(index)
    for (let next = 1; next < decoded.length; next += 1) places.push(index + found.length - decoded.length + next)
    text += decoded
    at = index + found.length
  }
  copy(written.length)
  places.push(written.length)
  return { text, places }
}
