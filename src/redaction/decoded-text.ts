import { plain } from './plain.ts'
import type { Found } from './rule.ts'

/** A text with its escapes decoded. */
export interface DecodedText {
  readonly text: string
  /** Returns where a character starts in the escaped text; for the text's length, where the escaped text ends. */
  placeOf(index: number): number
}

const inPercent = /%[\dA-Fa-f]{2}/g

/** Decodes the escapes of URLs and forms, byte by byte; undefined if there are none. */
export function decodePercent(written: string): DecodedText | undefined {
  if (written.search(inPercent) === -1) return undefined
  // Without a space in it, the text is itself a URL or a form.
  const isWhole = !/\s/.test(written)
  const decode = (found: string): string => String.fromCharCode(Number.parseInt(found.slice(1), 16))
  return decodeEscapes(written, inPercent, decode, (between) => (isWhole ? between.replaceAll('+', ' ') : between))
}

/** An escape of JSON, or of nested JSON. */
const unicodeEscape = /(?<!\\)\\+u[\da-fA-F]{4}/g

/** An escape of a character that JSON need not escape. */
const ofAscii = /\\u00[2-7]/

/** Decodes escapes that JSON does not require (`\u0040`), in nested JSON as well; undefined if there are none. */
export function decodeUnicodeEscapes(written: string): DecodedText | undefined {
  if (!written.includes('\\u00') || !ofAscii.test(written)) return undefined
  return decodeEscapes(written, unicodeEscape, (found) => {
    const code = Number.parseInt(found.slice(-4), 16)
    // A letter beyond ASCII stays escaped once: rules recognise it in this form, in bytes as well.
    return code < 0x80 ? String.fromCharCode(code) : found.slice(-6)
  })
}

/**
 * Decodes the escapes in a text. A decoded escape starts where the escape starts; further characters of it are placed at the escape's end.
 * @param escape Finds the escapes; global.
 * @param decode Returns the meaning of an escape, at least one character.
 * @param copy Returns the meaning of the text between escapes, with the same length. Default: the text itself.
 */
function decodeEscapes(
  written: string,
  escape: RegExp,
  decode: (escape: string) => string,
  copy: (between: string) => string = (between) => between,
): DecodedText {
  // From each of these characters of the decoded text on, places increase one by one, starting at the place in the parallel array.
  const from = [0]
  const places = [0]
  let text = ''
  let at = 0
  for (const { index, 0: found } of written.matchAll(escape)) {
    text += copy(written.slice(at, index))
    const decoded = decode(found)
    from.push(text.length, text.length + 1)
    places.push(index, index + found.length - decoded.length + 1)
    text += decoded
    at = index + found.length
  }
  text += copy(written.slice(at))
  return {
    text,
    placeOf(index) {
      let last = 0
      for (let above = from.length; above - last > 1;) {
        const middle = (last + above) >> 1
        if ((from[middle] ?? 0) <= index) last = middle
        else above = middle
      }
      return (places[last] ?? 0) + index - (from[last] ?? 0)
    },
  }
}

/** Returns a secret that was found in a decoded text, in the text as it is written. */
export function toWritten(found: Found, { text, placeOf }: DecodedText): Found {
  const { start, end, kept = { start: 0, end: 0 }, identity = plain(text.slice(start, end)) } = found
  const at = { start: placeOf(start), end: placeOf(end) }
  return { ...found, ...at, kept: { start: placeOf(start + kept.start) - at.start, end: at.end - placeOf(end - kept.end) }, identity }
}
