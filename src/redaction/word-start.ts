/**
 * Whether a word may begin at a place in a text: not within another, but right behind an escape of JSON or of a URL.
 *
 * @param joins Characters beside letters, digits and `_` that go on with a word. Default: `-`, `.` and `+`.
 */
export function isWordStart(text: string, index: number, joins = '-.+'): boolean {
  if (index === 0) return true
  const before = text[index - 1] ?? ''
  if (!/\w/.test(before) && !joins.includes(before)) return true
  // A look back with a pattern that begins with it costs a look at every place.
  return /(?:\\[nrtbf]|\\u[\da-fA-F]{4}|%[\dA-Fa-f]{2})$/.test(text.slice(Math.max(0, index - 6), index))
}
