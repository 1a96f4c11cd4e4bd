import { isInMemory } from './file-url.ts'

/** Comments, or quoted text that may look like a comment. */
const comments = /('(?:[^']|'')*'|"(?:[^"]|"")*")|--[^\n]*|\/\*[^]*?\*\//g

const attaching = /(?:^|;)\s*attach\s+(?:database\s+)?('(?:[^']|'')*'|"(?:[^"]|"")*"|[^\s;]+)/gi
const copying = /(?:^|;)\s*vacuum\b(?:[^;'"]|"[^"]*")*?\binto\s+('(?:[^']|'')*'|"(?:[^"]|"")*"|[^\s;]+)/gi

/**
 * The file, besides its connection's own, that SQL opens or writes by `ATTACH` or `VACUUM INTO`. Undefined if there is none. A file given as a
 * parameter is named by its placeholder: `?`.
 */
export function otherFileOf(sql: string): string | undefined {
  if (!/attach|vacuum/i.test(sql)) return undefined
  const text = sql.replace(comments, (_comment, kept?: string) => kept ?? ' ')
  const files = [attaching, copying].flatMap((pattern) => [...text.matchAll(pattern)].map(([, file = '']) => withoutQuotes(file)))
  return files.find((file) => !isInMemory(file))
}

function withoutQuotes(text: string): string {
  return /^['"]/.test(text) ? text.slice(1, -1) : text
}
