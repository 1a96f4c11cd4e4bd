/**
 * Text that is safe to print in one line: what a recording holds may have been written to drive a terminal, or to read otherwise than it is.
 * Control characters, line breaks and marks that change the direction of writing are shown as escapes (`\u001b`).
 */
export function printable(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
