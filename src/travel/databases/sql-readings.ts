/** Whose SQL it is. */
export type SqlDialect = 'postgres' | 'mysql'

/** What begins a comment that may have others in it, which no pattern finds the end of. */
const nested = '/*'

/** Texts, quoted names and comments of Postgres. In `E'…'` a backslash escapes; in `'…'` only with `standard_conforming_strings` off. */
const postgres = {
  plain:
    /--[^\n\r]*|\/\*|\be'(?:[^'\\]|''|\\[^])*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|(?<![\w$\u0080-\uffff])\$((?:[a-z_\u0080-\uffff][\w\u0080-\uffff]*)?)\$[^]*?\$\1\$/gi,
  escaped:
    /--[^\n\r]*|\/\*|'(?:[^'\\]|''|\\[^])*'|"(?:[^"]|"")*"|(?<![\w$\u0080-\uffff])\$((?:[a-z_\u0080-\uffff][\w\u0080-\uffff]*)?)\$[^]*?\$\1\$/gi,
} as const

/** Those of MySQL. A backslash escapes, unless `NO_BACKSLASH_ESCAPES` is set, which clones of agents' databases are not expected to have. */
const mysql = /--(?=\s|$)[^\n]*|#[^\n]*|\/\*[^]*?(?:\*\/|$)|'(?:[^'\\]|''|\\[^])*'|"(?:[^"\\]|""|\\[^])*"|`(?:[^`]|``)*`/g

/**
 * The statements of a text in each of the ways in which a server may read it, which depends on its version and settings. Comments are left out, and
 * texts and quoted names are empty.
 */
export function readingsOf(sql: string, dialect: SqlDialect): readonly (readonly string[])[] {
  if (dialect === 'postgres') return [statementsOf(sql, postgres.plain), statementsOf(sql, postgres.escaped)]
  // Comments that a server of a version carries out.
  const carriedOut = sql.replace(/\/\*M?!\d*([^]*?)\*\//g, ' $1 ')
  return [statementsOf(sql, mysql), statementsOf(carriedOut, mysql)]
}

function statementsOf(sql: string, texts: RegExp): string[] {
  return withoutTexts(sql, texts)
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
}

function withoutTexts(sql: string, texts: RegExp): string {
  const pattern = new RegExp(texts)
  let left = ''
  let at = 0
  for (let found = pattern.exec(sql); found !== null; found = pattern.exec(sql)) {
    left += `${sql.slice(at, found.index)}${/^(?:--|#|\/\*)/.test(found[0]) ? ' ' : "''"}`
    at = found[0] === nested ? endOfNested(sql, found.index) : pattern.lastIndex
    pattern.lastIndex = at
  }
  return left + sql.slice(at)
}

/** Where a comment ends that may have others in it; the end of the text where it has no end. */
function endOfNested(sql: string, start: number): number {
  const ends = /\/\*|\*\//g
  ends.lastIndex = start
  let depth = 0
  for (let found = ends.exec(sql); found !== null; found = ends.exec(sql)) {
    depth += found[0] === nested ? 1 : -1
    if (depth === 0) return ends.lastIndex
  }
  return sql.length
}
