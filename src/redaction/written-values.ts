/** A quote in a text, in JSON, in nested JSON and in SQL, which doubles it. */
export const quote = "(?:''|\\\\*[\"'`])"

/** The start of a word in a text, in JSON and in nested JSON. */
export const wordStart = '(?:(?<![A-Za-z])|(?<=\\\\[nrt]))'

/** White space in a text, in JSON and in nested JSON. */
export const gap = '(?:[ \\t\\r\\n]|\\\\+[nrt]){0,40}'

/** The start and the end of a line in a text, in JSON and in nested JSON. */
export const lineStart = '(?:^|[\\r\\n]|\\\\[nr])[ \\t]{0,40}'
export const lineEnd = '(?=[ \\t]*(?:$|[\\r\\n;#"]|\\\\))'

/** A part of a text. */
export interface WrittenValue {
  readonly start: number
  readonly end: number
}

/** The start of a quoted value: its quote, which SQL doubles. */
export const openingQuote = "(?<escape>\\\\*)(?<sign>''|[\"'`])"

/** Longer than any credential in quotes. */
const longestQuoted = 4000

/**
 * Returns the value behind an opening quote: up to the quote that is escaped as the opening one is, so that it may contain escaped quotes. Undefined if
 * the value does not end within the text.
 *
 * @param start Where the value starts.
 * @param escape The backslashes before its opening quote: none, one in JSON, three in JSON in JSON.
 */
export function readQuoted(text: string, start: number, escape: string, sign: string): WrittenValue | undefined {
  const unit = 2 * (escape.length + 1)
  for (let at = text.indexOf(sign, start); at !== -1 && at - start <= longestQuoted; at = text.indexOf(sign, at + 1)) {
    let escapes = 0
    while (at - escapes > start && text[at - escapes - 1] === '\\') escapes += 1
    if (escapes % unit === escape.length) return { start, end: at - escape.length }
    if (escapes < escape.length) return undefined
  }
  return undefined
}
