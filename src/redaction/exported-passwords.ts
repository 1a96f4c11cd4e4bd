import { isDrawn } from './credential-fields.ts'
import type { Found } from './rule.ts'

/** The first line of a table with a column of passwords, as browsers and password managers export it. */
const heading =
  /(?:^|[\r\n"'=]|\\[nr])(?<names>(?:[\w -]{1,30}[,;]){1,20}(?:login_)?passw(?:or)?d(?:[,;][\w -]{0,30}){0,20})(?<lineBreak>\r?\n|(?:\\+r)?\\+n)/gi

/** The most lines that are read of one table. */
const mostLines = 10_000

/** Finds the passwords in tables with commas or semicolons between their columns. */
export function* findExportedPasswords(text: string): Generator<Found> {
  let done = 0
  for (const { index, groups, 0: found } of text.matchAll(heading)) {
    // A line of a table may look like a heading.
    if (index < done) continue
    const { names = '', lineBreak = '\n' } = groups ?? {}
    const separator = names.includes(';') ? ';' : ','
    const columns = names.split(separator)
    const column = columns.findIndex((name) => /passw(?:or)?d$/i.test(name))
    let start = index + found.length
    for (let line = 0; line < mostLines && start < text.length; line += 1) {
      const next = text.indexOf(lineBreak, start)
      const end = next === -1 ? text.length : next
      const cells = text.slice(start, end).split(separator)
      if (cells.length < columns.length) break
      const from = start + cells.slice(0, column).join(separator).length + (column > 0 ? 1 : 0)
      const value = /^\\*"?(?<secret>[^"\\]*)/.exec(cells[column] ?? '')
      const secret = value?.groups?.['secret'] ?? ''
      const at = from + (value?.[0].length ?? 0) - secret.length
      if (secret.length >= 4 && isDrawn(secret)) yield { start: at, end: at + secret.length, shape: 'word' }
      start = end + lineBreak.length
    }
    done = start
  }
}
