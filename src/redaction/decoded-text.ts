/** A text as it is meant, of one that escapes characters. */
export interface DecodedText {
  readonly text: string
  /** Where a character of it starts in the text as it is written; of its length, where that ends. */
  placeOf(index: number): number
}

/**
 * Decodes the escapes in a text. What an escape is decoded to starts where it starts; further characters of that stand at its end.
 * @param escape Finds the escapes; global.
 * @param decode What an escape means, at least one character.
 * @param copy What the text between escapes means, of the same length. Default: itself.
 */
export function decodeEscapes(
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
