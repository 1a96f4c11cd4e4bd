/** A text as it is meant, of one that escapes characters. */
export interface DecodedText {
  readonly text: string
  /** Where a character of it starts in the text as it is written; of its length, where that ends. */
  placeOf(index: number): number
}

const inPercent = /%[\dA-Fa-f]{2}/g

/** Decodes what URLs and forms escape, byte by byte; undefined where nothing is. */
export function decodePercent(written: string): DecodedText | undefined {
  if (written.search(inPercent) === -1) return undefined
  // Without a space in it, the text is a URL or a form itself.
  const isWhole = !/\s/.test(written)
  const decode = (found: string): string => String.fromCharCode(Number.parseInt(found.slice(1), 16))
  return decodeEscapes(written, inPercent, decode, (between) => (isWhole ? between.replaceAll('+', ' ') : between))
}

/** An escape of JSON, or of JSON within JSON. */
const unicodeEscape = /(?<!\\)\\+u[\da-fA-F]{4}/g

/** An escape of a character that JSON need not escape. */
const ofAscii = /\\u00[2-7]/

/** Decodes the escapes that JSON need not write (`\u0040`), in JSON within JSON too; undefined where there are none. */
export function decodeUnicodeEscapes(written: string): DecodedText | undefined {
  if (!written.includes('\\u00') || !ofAscii.test(written)) return undefined
  return decodeEscapes(written, unicodeEscape, (found) => {
    const code = Number.parseInt(found.slice(-4), 16)
    // A letter beyond ASCII stays escaped, once: rules know it like that, in bytes as well.
    return code < 0x80 ? String.fromCharCode(code) : found.slice(-6)
  })
}

/**
 * Decodes the escapes in a text. What an escape is decoded to starts where it starts; further characters of that stand at its end.
 * @param escape Finds the escapes; global.
 * @param decode What an escape means, at least one character.
 * @param copy What the text between escapes means, of the same length. Default: itself.
 */
function decodeEscapes(
  written: string,
  escape: RegExp,
  decode: (escape: string) => string,
  copy: (between: string) => string = (between) => between,
): DecodedText {
  // From each of these characters of the decoded text on, places go up one by one, from the one written beside it.
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
