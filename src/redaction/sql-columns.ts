import { remember } from '../node/remember.ts'

/** Which columns a statement of SQL puts its values into, or compares them with. */
export interface SqlColumns {
  /** Of a parameter: by its index among the values, or by its name without `:`, `@` or `$`. */
  readonly parameters: ReadonlyMap<number | string, string>
  /** Of a parameter that is a list of rows, by its index: `INSERT INTO t (a, b) VALUES ?`. */
  readonly rows: ReadonlyMap<number, readonly string[]>
  /** Texts in the statement, without their quotes. */
  readonly texts: readonly { readonly column: string; readonly start: number; readonly end: number }[]
}

interface Token {
  readonly kind: 'word' | 'quoted' | 'text' | 'parameter' | 'mark'
  /** A word, a name without its quotes, or a mark. */
  readonly text: string
  readonly start: number
  readonly end: number
  /** Of a parameter. */
  readonly key: number | string
}

/** Comments first: they are left out. What is not closed goes on to the end. A name in brackets is one of SQL Server and SQLite. */
const pattern =
  /(?<comment>--[^\n]*|\/\*[^]*?(?:\*\/|$))|(?<text>'(?:[^'\\]|''|\\[^]?)*(?:'|$)|\$(?<tag>(?:[A-Za-z_]\w*)?)\$[^]*?(?:\$\k<tag>\$|$))|(?<quoted>\\?"(?:[^"\\]|"")*\\?"|`[^`]*`|\[[A-Za-z_][\w ]*\])|(?<number>\$\d+)|(?<named>(?<!:)[:@$][A-Za-z_]\w*)|(?<asked>\?\d*)|(?<word>[A-Za-z_][\w$]*)|(?<mark>::|[^\s\w])/g

/** In tokens: what is longer is not followed to its end. */
const longestExpression = 200

/** In tokens: `a.b AS c`. */
const longestName = 8

/** In characters. */
const longestRemembered = 10_000

/** Where an expression ends. */
const ends = /^(?:and|or|where|returning|from|order|group|having|limit|union|on|set|then|when|else|end|using|values|select)$/i

/** Reads the columns of a statement by its form: lists of columns with their values, and columns beside what they are set to or compared with. */
export function readSqlColumns(sql: string): SqlColumns {
  return sql.length > longestRemembered ? readColumns(sql) : remembered(sql)
}

const remembered = remember(readColumns)

function readColumns(sql: string): SqlColumns {
  const tokens = tokensOf(sql)
  const found = { parameters: new Map<number | string, string>(), rows: new Map<number, readonly string[]>(), texts: [] as SqlText[] }
  const give = (column: string | undefined, [from, to]: Range): void => {
    if (column === undefined) return
    const inside = tokens.slice(from, to)
    for (const { kind, key } of inside) if (kind === 'parameter') found.parameters.set(key, column)
    // Further texts are arguments of functions: `crypt('…', gen_salt('bf'))`.
    const text = inside.find((token) => token.kind === 'text' || (token.kind === 'quoted' && isDoubleQuoted(sql, token)))
    if (text !== undefined) found.texts.push({ column, start: text.start, end: text.end })
  }
  for (const [index, token] of tokens.entries()) {
    if (isWord(token, /^into$/i)) readInsertion(tokens, index + 1, give, (key, columns) => void found.rows.set(key, columns))
    else if (token.kind === 'quoted' || (token.kind === 'word' && !isWord(token, /^not$/i))) {
      const behind = behindOperator(tokens, index + 1)
      if (behind !== undefined) give(token.text, [behind, endOfExpression(tokens, behind)])
    }
  }
  return found
}

type SqlText = SqlColumns['texts'][number]

/** From a token to another, which is not part of it. */
type Range = readonly [from: number, to: number]

function tokensOf(sql: string): Token[] {
  const tokens: Token[] = []
  const isNumbered = /\$\d/.test(sql)
  let asked = 0
  for (const { 0: whole, index: start, groups = {} } of sql.matchAll(pattern)) {
    const { text, tag, quoted, number, named, asked: mark, word } = groups
    const token = (kind: Token['kind'], content: string, border = 0, key: number | string = ''): void =>
      void tokens.push({ kind, text: content, start: start + border, end: start + whole.length - border, key })
    if (text !== undefined) {
      const border = tag === undefined ? 1 : tag.length + 2
      const isClosed = text.length >= 2 * border && text.endsWith(text.slice(0, border))
      tokens.push({ kind: 'text', text: '', start: start + border, end: start + text.length - (isClosed ? border : 0), key: '' })
    } else if (quoted !== undefined) {
      const border = quoted.startsWith('\\') ? 2 : 1
      token('quoted', quoted.slice(border, -border), border)
    } else if (number !== undefined) token('parameter', '', 0, Number(number.slice(1)) - 1)
    else if (named !== undefined) token('parameter', '', 0, named.slice(1))
    // An operator of PostgreSQL, where parameters have numbers.
    else if (mark !== undefined && !isNumbered) token('parameter', '', 0, mark === '?' ? asked++ : Number(mark.slice(1)) - 1)
    else if (word !== undefined) token('word', word)
    else if (groups['mark'] !== undefined) token('mark', whole)
  }
  return tokens
}

/** `users (email, password) VALUES (?, ?), (?, ?)`, or with `SELECT` in place of `VALUES`. */
function readInsertion(
  tokens: readonly Token[],
  start: number,
  give: (column: string | undefined, range: Range) => void,
  giveRows: (key: number, columns: readonly string[]) => void,
): void {
  let open = start
  while (open < start + longestName && tokens[open] !== undefined && !isMark(tokens[open], '(')) open += 1
  if (!isMark(tokens[open], '(')) return
  const list = partsOf(tokens, open + 1)
  const columns = list.parts.map(([from]) => tokens[from]?.text ?? '')
  let index = list.end + 1
  while (isWord(tokens[index], /^(?:overriding|system|user|value)$/i) && isWord(tokens[index + 1], /./)) index += 1
  if (isWord(tokens[index], /^select$/i)) {
    for (const [at, range] of partsOf(tokens, index + 1).parts.entries()) give(columns[at], range)
    return
  }
  if (!isWord(tokens[index], /^values?$/i)) return
  do {
    index += 1
    const token = tokens[index]
    if (token?.kind === 'parameter' && typeof token.key === 'number') giveRows(token.key, columns)
    if (isWord(token, /^row$/i)) index += 1
    if (!isMark(tokens[index], '(')) return
    const row = partsOf(tokens, index + 1)
    for (const [at, range] of row.parts.entries()) give(columns[at], range)
    index = row.end + 1
  } while (isMark(tokens[index], ','))
}

/** What stands between commas, up to the bracket or the keyword that ends it. */
function partsOf(tokens: readonly Token[], start: number): { readonly parts: readonly Range[]; readonly end: number } {
  const parts: Range[] = []
  let from = start
  for (;;) {
    const end = endOfExpression(tokens, from)
    parts.push([from, end])
    if (!isMark(tokens[end], ',')) return { parts, end }
    from = end + 1
  }
}

function endOfExpression(tokens: readonly Token[], start: number): number {
  let depth = 0
  const end = Math.min(tokens.length, start + longestExpression)
  for (let index = start; index < end; index += 1) {
    const token = tokens[index]
    if (isMark(token, '(')) depth += 1
    else if (isMark(token, ')') && depth > 0) depth -= 1
    else if (depth === 0 && (isMark(token, ',') || isMark(token, ')') || isMark(token, ';') || isWord(token, ends))) return index
  }
  return end
}

/** The place behind `=`, `<>`, `:=`, `LIKE`, `IN` and the like; undefined if there is none. */
function behindOperator(tokens: readonly Token[], start: number): number | undefined {
  let index = start
  if (isWord(tokens[index], /^not$/i)) index += 1
  if (isWord(tokens[index], /^(?:like|ilike|in)$/i)) return index + 1
  while (tokens[index]?.kind === 'mark' && /^[=<>!:~]$/.test(tokens[index]?.text ?? '')) index += 1
  return index > start && tokens.slice(start, index).some(({ text }) => /[=<>~]/.test(text)) ? index : undefined
}

/** MySQL takes `"…"` for a text. */
function isDoubleQuoted(sql: string, { start }: Token): boolean {
  return sql[start - 1] === '"'
}

function isMark(token: Token | undefined, text: string): boolean {
  return token?.kind === 'mark' && token.text === text
}

function isWord(token: Token | undefined, words: RegExp): boolean {
  return token?.kind === 'word' && words.test(token.text)
}
