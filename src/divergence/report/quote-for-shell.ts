/** A text as one word of a command: in single quotes where a POSIX shell would take a character for its own. */
export function quoteForShell(text: string): string {
  return /^[\w./:@=,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
