/** How many characters a streamed delta has where a script does not say in how many deltas to split. */
const USUAL_LENGTH = 6

/**
 * Splits `text` into `count` pieces of about equal length, never inside a surrogate pair. A text shorter than `count` gives a piece a
 * character; the empty text none.
 *
 * @param count Default: a piece for every six characters.
 */
export function splitText(text: string, count?: number): string[] {
  const characters = Array.from(text)
  const pieces = Math.min(characters.length, Math.max(1, count ?? Math.ceil(characters.length / USUAL_LENGTH)))
  const start = (piece: number): number => Math.floor((piece * characters.length) / pieces)
  return Array.from({ length: pieces }, (_, piece) => characters.slice(start(piece), start(piece + 1)).join(''))
}
