/** A text as one word of a command: in single quotes if a POSIX shell would interpret one of its characters. */
export function quoteForShell(text: string): string {
  return /^[\w./:@=,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
