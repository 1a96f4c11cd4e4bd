/** The database whose SQL it is. */
export type SqlDialect = 'postgres' | 'mysql'

/** The start of a comment that may be nested, so no pattern finds its end. */
const nested = '/*'

/** Literals, quoted names and comments of Postgres. In `E'…'` a backslash escapes; in `'…'` only with `standard_conforming_strings` off. */
const postgres = {
  plain:
    /--[^\n\r]*|\/\*|\be'(?:[^'\\]|''|\\[^])*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|(?<![\w$\u0080-\uffff])\$((?:[a-z_\u0080-\uffff][\w\u0080-\uffff]*)?)\$[^]*?\$\1\$/gi,
  escaped:
    /--[^\n\r]*|\/\*|'(?:[^'\\]|''|\\[^])*'|"(?:[^"]|"")*"|(?<![\w$\u0080-\uffff])\$((?:[a-z_\u0080-\uffff][\w\u0080-\uffff]*)?)\$[^]*?\$\1\$/gi,
} as const

/** The same for MySQL. A backslash escapes, unless `NO_BACKSLASH_ESCAPES` is set, which is not expected in clones of agents' databases. */
const mysql = /--(?=\s|$)[^\n]*|#[^\n]*|\/\*[^]*?(?:\*\/|$)|'(?:[^'\\]|''|\\[^])*'|"(?:[^"\\]|""|\\[^])*"|`(?:[^`]|``)*`/g

/**
 * The statements of SQL in each way in which a server may read it, depending on its version and settings. Comments are left out; literals
 * and quoted names are emptied.
 */
export function readingsOf(sql: string, dialect: SqlDialect): readonly (readonly string[])[] {
  if (dialect === 'postgres') return [statementsOf(sql, postgres.plain), statementsOf(sql, postgres.escaped)]
  // Comments that some server versions execute.
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

/** The end of a comment that may be nested; the end of the text if it never ends. */
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
