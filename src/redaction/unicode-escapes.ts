import { decodeEscapes, type DecodedText } from './decoded-text.ts'

/** An escape of JSON, or of JSON within JSON. */
const escape = /(?<!\\)\\+u[\da-fA-F]{4}/g

/** An escape of a character that JSON need not escape. */
const ofAscii = /\\u00[2-7]/

/** Decodes the escapes that JSON need not write (`\u0040`), in JSON within JSON too; undefined where there are none. */
export function decodeUnicodeEscapes(written: string): DecodedText | undefined {
  if (!written.includes('\\u00') || !ofAscii.test(written)) return undefined
  return decodeEscapes(written, escape, (found) => {
    const code = Number.parseInt(found.slice(-4), 16)
    // A letter beyond ASCII stays escaped, once: rules know it like that, in bytes as well.
    return code < 0x80 ? String.fromCharCode(code) : found.slice(-6)
  })
}
