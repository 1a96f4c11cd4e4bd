import { knownOrMade, remember } from '../trace/remember.ts'
import { type Brackets, isMark, isWord, matchBrackets, type Token, tokensOf } from './sql-tokens.ts'

/** The columns into which an SQL statement puts its values, or with which it compares them. */
export interface SqlColumns {
  /** Column names for a parameter: by its index among the values, or by its name without `:`, `@` or `$`. */
  readonly parameters: ReadonlyMap<number | string, ReadonlySet<string>>
  /** The columns of a parameter that is a list, or a list of rows, by its index: `INSERT INTO t (a, b) VALUES ?`. */
  readonly rows: ReadonlyMap<number, readonly string[]>
  /** Texts in the statement, without their quotes. */
  readonly texts: readonly { readonly columns: readonly string[]; readonly start: number; readonly end: number }[]
}

/** In characters. */
const longestRemembered = 10_000

/**
 * Reads the columns of a statement from its form: lists of columns with their values, names next to the values that they are compared with or set to,
 * and keys next to values in the arguments of a function. It knows no dialect, and the statement need not be valid.
 */
export function readSqlColumns(sql: string): SqlColumns {
  return sql.length > longestRemembered ? readColumns(sql) : remembered(sql)
}

const remembered = remember(readColumns)

function readColumns(sql: string): SqlColumns {
  const tokens = tokensOf(sql)
  const found = new FoundColumns(sql, tokens)
  const brackets = matchBrackets(tokens)
  for (const [index, token] of tokens.entries()) {
    if (isWord(token, /^values?$/i)) readValues(tokens, brackets, index, found)
    else if (isWord(token, /^select$/i)) readSelection(tokens, brackets, index, found)
    else if (isMark(token, '(')) readTuples(tokens, brackets, index, found)
  }
  readExpressions(tokens, brackets, found)
  return found
}

/** From one token up to another, which is excluded. */
type Range = readonly [from: number, to: number]

class FoundColumns implements SqlColumns {
  readonly parameters = new Map<number | string, Set<string>>()
  readonly rows = new Map<number, readonly string[]>()
  readonly texts: { readonly columns: readonly string[]; readonly start: number; readonly end: number }[] = []
  readonly #placed = new Set<Token>()
  readonly #sql: string
  readonly #tokens: readonly Token[]

  constructor(sql: string, tokens: readonly Token[]) {
    this.#sql = sql
    this.#tokens = tokens
  }

  /** Assigns the values in a range to the column at that position. */
  place(column: string | undefined, [from, to]: Range): void {
    if (column === undefined) return
    for (const token of this.#tokens.slice(from, Math.min(to, from + longestExpression))) {
      this.#give([column], token)
      this.#placed.add(token)
    }
  }

  /** The values in a range may belong to any of these columns, unless their column is known. */
  give(columns: readonly string[], [from, to]: Range): void {
    if (columns.length === 0) return
    for (const token of this.#tokens.slice(from, to)) if (!this.#placed.has(token)) this.#give(columns, token)
  }

  #give(columns: readonly string[], token: Token): void {
    if (token.kind === 'parameter') {
      const names = knownOrMade(this.parameters, token.key, () => new Set<string>())
      for (const column of columns) names.add(column)
    } else if (this.isText(token)) this.texts.push({ columns, start: token.start, end: token.end })
  }

  /** The parameters in a range are a list of the columns' values, or a list of such lists. */
  placeRows(columns: readonly string[], [from, to]: Range): void {
    const token = to === from + 1 ? this.#tokens[from] : undefined
    if (token?.kind !== 'parameter' || typeof token.key !== 'number') return
    this.rows.set(token.key, columns)
    this.#placed.add(token)
  }

  textOf({ start, end }: Token): string {
    return this.#sql.slice(start, end)
  }

  /** MySQL takes `"…"` for a text. */
  isText({ kind, start }: Token): boolean {
    return kind === 'text' || (kind === 'quoted' && this.#sql[start - 1] === '"')
  }
}

/** Returns the ranges between commas in brackets. */
function partsOf(tokens: readonly Token[], brackets: Brackets, open: number): Range[] {
  return splitAt(tokens, brackets, [open + 1, brackets.get(open) ?? tokens.length])
}

function splitAt(tokens: readonly Token[], brackets: Brackets, [from, to]: Range): Range[] {
  const parts: Range[] = []
  let start = from
  for (let index = from; index < to; index += 1) {
    if (isMark(tokens[index], '(')) index = brackets.get(index) ?? to
    else if (isMark(tokens[index], ',')) {
      parts.push([start, index])
      start = index + 1
    }
  }
  return [...parts, [start, to]]
}

/** Returns the column names in brackets; undefined if there is anything else. */
function namesIn(tokens: readonly Token[], brackets: Brackets, open: number | undefined): string[] | undefined {
  if (open === undefined) return undefined
  const names = partsOf(tokens, brackets, open).map(([from, to]) =>
    to > from && to - from <= longestName ? nameAt(tokens, to - 1) : undefined,
  )
  return names.every((name) => name !== undefined) ? names : undefined
}

/** In tokens: `a.b.c`. */
const longestName = 5

function nameAt(tokens: readonly Token[], index: number): string | undefined {
  const token = tokens[index]
  return token?.kind === 'word' || token?.kind === 'quoted' ? token.text : undefined
}

/**
 * Reads `(name, password) VALUES (?, ?), (?, ?)`, also in `WITH t (name, password) AS (VALUES …)` and `(VALUES …) AS t (name, password)`.
 *
 * @param at The index of `VALUES`.
 */
function readValues(tokens: readonly Token[], brackets: Brackets, at: number, found: FoundColumns): void {
  const rows: number[] = []
  let index = at + 1
  for (; ; index += 1) {
    if (isWord(tokens[index], /^row$/i)) index += 1
    if (!isMark(tokens[index], '(')) break
    rows.push(index)
    index = (brackets.get(index) ?? tokens.length) + 1
    if (!isMark(tokens[index], ',')) break
  }
  const columns = namesBefore(tokens, brackets, at) ?? namesBehind(tokens, brackets, index)
  if (columns === undefined) return
  if (rows.length === 0) found.placeRows(columns, [at + 1, at + 2])
  for (const row of rows) giveParts(tokens, brackets, row, columns, found)
}

function giveParts(tokens: readonly Token[], brackets: Brackets, open: number, columns: readonly string[], found: FoundColumns): void {
  const parts = partsOf(tokens, brackets, open)
  // MySQL expands one parameter to a list.
  if (parts.length === 1 && columns.length > 1 && parts[0] !== undefined) return found.placeRows(columns, parts[0])
  for (const [index, part] of parts.entries()) {
    found.place(columns[index], withoutArguments(tokens, brackets, part, found))
  }
}

/** A function's further arguments are not values: `crypt('…', 'bf')`. */
function withoutArguments(tokens: readonly Token[], brackets: Brackets, part: Range, found: FoundColumns): Range {
  const [from, to] = part
  const inside = tokens.slice(from, to)
  const open = inside.findIndex(
    (token, index) => isMark(token, '(') && isWord(inside[index - 1], /^(?!(?:in|any|all|array|coalesce|concat)$)/i),
  )
  if (open === -1 || inside.filter((token) => found.isText(token)).length < 2) return part
  const [first] = partsOf(tokens, brackets, from + open)
  return first === undefined ? part : [from, first[1]]
}

function namesBefore(tokens: readonly Token[], brackets: Brackets, at: number): string[] | undefined {
  let index = at - 1
  if (isMark(tokens[index], '(') && isWord(tokens[index - 1], /^as$/i)) index -= 2
  while (isWord(tokens[index], /^(?:overriding|system|user|value)$/i)) index -= 1
  return isMark(tokens[index], ')') ? namesIn(tokens, brackets, brackets.get(index)) : undefined
}

function namesBehind(tokens: readonly Token[], brackets: Brackets, end: number): string[] | undefined {
  if (!isMark(tokens[end], ')')) return undefined
  const open = isWord(tokens[end + 1], /^as$/i) ? end + 3 : end + 2
  return isMark(tokens[open], '(') ? namesIn(tokens, brackets, open) : undefined
}

/** Reads `(name, password) SELECT ?, ?`. */
function readSelection(tokens: readonly Token[], brackets: Brackets, at: number, found: FoundColumns): void {
  const columns = isMark(tokens[at - 1], ')') ? namesIn(tokens, brackets, brackets.get(at - 1)) : undefined
  if (columns === undefined) return
  let end = at + 1
  while (end < tokens.length && !isWord(tokens[end], clauses) && !isMark(tokens[end], ';') && !isMark(tokens[end], ')'))
    end = isMark(tokens[end], '(') ? (brackets.get(end) ?? tokens.length) + 1 : end + 1
  for (const [index, part] of splitAt(tokens, brackets, [at + 1, Math.min(end, tokens.length)]).entries()) {
    found.place(columns[index], part)
  }
}

/** Reads `(name, password) = (?, ?)`, `(name, password) IN ((?, ?), (?, ?))`. */
function readTuples(tokens: readonly Token[], brackets: Brackets, open: number, found: FoundColumns): void {
  const end = brackets.get(open) ?? tokens.length
  let index = end + 1
  while (
    isMark(tokens[index], '=') ||
    isMark(tokens[index], '<') ||
    isMark(tokens[index], '>') ||
    isWord(tokens[index], /^(?:not|in|row)$/i)
  )
    index += 1
  if (index === end + 1 || !isMark(tokens[index], '(')) return
  const columns = namesIn(tokens, brackets, open)
  if (columns === undefined || columns.length < 2) return
  const inner = isMark(tokens[index + 1], '(') ? partsOf(tokens, brackets, index).map(([from]) => from) : [index]
  for (const row of inner) if (isMark(tokens[row], '(')) giveParts(tokens, brackets, row, columns, found)
}

/** Where an expression begins or ends, at any depth. */
const clauses =
  /^(?:and|or|where|returning|from|order|group|having|limit|offset|union|on|set|then|when|else|end|using|values|select|into|update|delete|join)$/i

/** A value next to a name may belong to it, between two commas or between the words of a clause. */
function readExpressions(tokens: readonly Token[], brackets: Brackets, found: FoundColumns): void {
  let start = 0
  const depths: boolean[] = []
  for (let index = 0; index <= tokens.length; index += 1) {
    const token = tokens[index]
    if (isMark(token, '(')) depths.push(takesArguments(tokens[index - 1]))
    else if (isMark(token, ')')) depths.pop()
    const isComma = isMark(token, ',') && depths.at(-1) !== true
    if (token !== undefined && !isComma && !isMark(token, ';') && !endsAt(tokens, index)) continue
    readExpression(tokens, brackets, [start, index], found)
    start = index + 1
  }
}

/** Returns whether brackets after a token contain a function's arguments, or a list to choose from. */
function takesArguments(before: Token | undefined): boolean {
  return before?.kind === 'word' && !/^(?:as|by|exists|not|over|key)$/i.test(before.text) && !clauses.test(before.text)
}

function endsAt(tokens: readonly Token[], index: number): boolean {
  if (!isWord(tokens[index], clauses)) return false
  if (isWord(tokens[index], /^from$/i)) return !isWord(tokens[index - 1], /^distinct$/i)
  return !(isWord(tokens[index], /^and$/i) && isWord(tokens[index - 2], /^between$/i))
}

function readExpression(tokens: readonly Token[], brackets: Brackets, [from, to]: Range, found: FoundColumns): void {
  const inside = tokens.slice(from, to)
  if (inside.length > longestExpression || !inside.some((token) => token.kind === 'parameter' || found.isText(token))) return
  const names = inside.flatMap((token, index) => {
    const isVariable = token.kind === 'parameter' && token.text !== '' && isMark(inside[index + 1], '=')
    const isName = (token.kind === 'word' && !isMark(inside[index + 1], '(')) || (token.kind === 'quoted' && !isValue(inside, index))
    return isName || isVariable ? [token.text] : []
  })
  found.give(names, withoutArguments(tokens, brackets, [from, to], found))
  readKeys(inside, found, from)
}

/** In tokens: a longer expression is a list of values, whose names are elsewhere. */
const longestExpression = 500

/** `"…"` after an operator or between the values of a list is a text in MySQL. */
function isValue(tokens: readonly Token[], index: number): boolean {
  return index > 0 && tokens[index - 1]?.kind === 'mark' && !isMark(tokens[index - 1], '.') && !isMark(tokens[index - 1], '::')
}

/** Reads `json_set(data, '$.password', ?)`, `set_config('app.password', ?)`: the name is the last word of the preceding text. */
function readKeys(tokens: readonly Token[], found: FoundColumns, offset: number): void {
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'text' || !isMark(tokens[index + 1], ',')) continue
    const [name] = found.textOf(token).match(/\w+(?=\W*$)/) ?? []
    if (name !== undefined) found.give([name], [offset + index + 2, offset + index + 3])
  }
}
