import { isInMemory } from './file-url.ts'

/** Comments, or a text in quotes that may look like one. */
const comments = /('(?:[^']|'')*'|"(?:[^"]|"")*")|--[^\n]*|\/\*[^]*?\*\//g

const attaching = /(?:^|;)\s*attach\s+(?:database\s+)?('(?:[^']|'')*'|"(?:[^"]|"")*"|[^\s;]+)/gi
const copying = /(?:^|;)\s*vacuum\b(?:[^;'"]|"[^"]*")*?\binto\s+('(?:[^']|'')*'|"(?:[^"]|"")*"|[^\s;]+)/gi

/**
 * The file that SQL opens or writes beside that of its connection: by `ATTACH`, or `VACUUM INTO`. Undefined if there is none. A file that is given
 * as a parameter is called by its place: `?`.
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
