/** A part of an SQL statement, except comments. */
export interface Token {
  readonly kind: 'word' | 'quoted' | 'text' | 'parameter' | 'mark'
  /** A word, a name without its quotes, the name of a parameter, or a mark. */
  readonly text: string
  readonly start: number
  readonly end: number
  /** Set for a parameter. */
  readonly key: number | string
}

/** Comments come first, because they are skipped. An unclosed part extends to the end. Names in brackets are from SQL Server and SQLite. */
const pattern =
  /(?<comment>--[^\n]*|\/\*[^]*?(?:\*\/|$))|(?<text>'(?:[^'\\]|''|\\[^]?)*(?:'|$)|\$(?<tag>(?:[A-Za-z_]\w*)?)\$[^]*?(?:\$\k<tag>\$|$))|(?<quoted>\\?"(?:[^"\\]|"")*\\?"|`[^`]*`|\[[A-Za-z_][\w ]*\])|(?<number>\$\d+)|(?<named>(?<!:)[:@$][A-Za-z_]\w*)|(?<asked>\?\?|\?\d*)|(?<word>[A-Za-z_][\w$]*)|(?<mark>::|[^\s\w])/g

/** The index of the matching bracket, by the index of a bracket. */
export type Brackets = ReadonlyMap<number, number>

/** Returns the parts of a statement, whatever its dialect. */
export function tokensOf(sql: string): Token[] {
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
    else if (named !== undefined) token('parameter', named.slice(1), 0, named.slice(1))
    // An operator of PostgreSQL, in which parameters have numbers.
    else if (mark !== undefined && !isNumbered) token('parameter', '', 0, /\d/.test(mark) ? Number(mark.slice(1)) - 1 : asked++)
    else if (word !== undefined) token('word', word)
    else if (groups['mark'] !== undefined) token('mark', whole)
  }
  return tokens
}

/** In tokens: how far unclosed brackets extend, as in a statement that an error message truncates. */
const longestUnclosed = 200

export function matchBrackets(tokens: readonly Token[]): Brackets {
  const matched = new Map<number, number>()
  const open: number[] = []
  for (const [index, token] of tokens.entries()) {
    if (isMark(token, '(')) open.push(index)
    if (!isMark(token, ')')) continue
    const start = open.pop()
    if (start !== undefined) matched.set(start, index).set(index, start)
  }
  for (const start of open) matched.set(start, Math.min(tokens.length, start + longestUnclosed))
  return matched
}

export function isMark(token: Token | undefined, text: string): boolean {
  return token?.kind === 'mark' && token.text === text
}

export function isWord(token: Token | undefined, words: RegExp): boolean {
  return token?.kind === 'word' && words.test(token.text)
}
