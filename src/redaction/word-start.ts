/**
 * Returns whether a word may begin at a place in a text: not within another word, but directly after an escape of JSON or of a URL.
 *
 * @param joins Characters that continue a word, in addition to letters, digits and `_`. Default: `-`, `.` and `+`.
 */
export function isWordStart(text: string, index: number, joins = '-.+'): boolean {
  if (index === 0) return true
  const before = text[index - 1] ?? ''
  if (!/\w/.test(before) && !joins.includes(before)) return true
  // A pattern that begins with a look-behind is tried at every place.
  return /(?:\\[nrtbf]|\\u[\da-fA-F]{4}|%[\dA-Fa-f]{2})$/.test(text.slice(Math.max(0, index - 6), index))
}
