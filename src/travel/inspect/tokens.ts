/** A word, punctuator or literal of JavaScript. */
export interface Token {
  readonly kind: 'word' | 'sign' | 'literal'
  readonly text: string
  readonly start: number
  readonly end: number
  /** Whether a line break comes before it. */
  readonly isOnNewLine: boolean
}

/**
 * Yields the tokens of a part of a script that V8 has parsed.
 *
 * @throws Error for text that cannot be split into tokens.
 */
export function* tokensOf(text: string, from: number, to: number): Generator<Token> {
  /** For each open `(`: whether a regular expression may follow its `)`. */
  const headers: boolean[] = []
  let before: Token | undefined
  let closesHeader = false
  let isOnNewLine = false
  for (let at = from; at < to;) {
    const space = match(SPACE, text, at)
    if (space !== undefined) {
      isOnNewLine ||= /[\n\r\u2028\u2029]/.test(space)
      at += space.length
      continue
    }
    const isOperand = before !== undefined && endsOperand(before) && !closesHeader && before.text !== '}'
    const found = tokenAt(text, at, !isOperand)
    const token: Token = { ...found, start: at, end: at + found.text.length, isOnNewLine }
    if (token.text === '(') headers.push(before?.kind === 'word' && HEADERS.has(before.text))
    closesHeader = token.text === ')' && headers.pop() === true
    yield token
    ;[before, at, isOnNewLine] = [token, token.end, false]
  }
}

/** Whether an expression can end with a token. */
export function endsOperand({ kind, text }: Token): boolean {
  if (kind === 'literal') return true
  return kind === 'word' ? !OPERATORS.has(text) : ENDING.has(text)
}

/** Whether a token at the start of a line continues the expression before it. */
export function continues({ kind, text }: Token): boolean {
  if (kind === 'literal') return text.startsWith('`')
  return kind === 'word' ? text === 'in' || text === 'instanceof' : !STARTING.has(text)
}

/** Whether two offsets of a script are in the same statement. The second offset comes after the first. */
export function isInOneStatement(source: string, from: number, to: number): boolean {
  if (to <= from) return false
  let depth = 0
  let before: Token | undefined
  try {
    for (const token of tokensOf(source, from, to)) {
      const isOwn = depth <= 0 && token.kind !== 'literal'
      if (isOwn && (token.text === ';' || token.text === '}')) return false
      if (depth <= 0 && token.isOnNewLine && before !== undefined && endsOperand(before) && !continues(token)) return false
      // From here on, tokens belong to the enclosing block.
      if (token.kind === 'sign') depth = Math.max(0, depth + (OPENING.has(token.text) ? 1 : CLOSING.has(token.text) ? -1 : 0))
      before = token
    }
  } catch {
    return false
  }
  return true
}

export const OPENING: ReadonlySet<string> = new Set(['(', '[', '{'])
export const CLOSING: ReadonlySet<string> = new Set([')', ']', '}'])
const SPACE = /(?:\s|\/\/[^\n\r]*|\/\*[^]*?\*\/)+/y
const WORD = /#?[\p{ID_Start}$_][\p{ID_Continue}$]*/uy
const NUMBER = /(?:\.\d|\d)(?:[eE][+-]|[\w.])*/y
const QUOTED = /"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'/y
const REGEXP = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y
const SIGN = /=>|[=!]==?|\.\.\.|\+\+|--|&&=?|\|\|=?|\?\?=?|\?\.(?!\d)|\*\*=?|>>>?=?|<<=?|[<>]=|[+\-*/%&|^]=|[{}()[\];,<>+\-*/%&|^!~?:=.@]/y

/** Words that an operand has to follow. */
const OPERATORS: ReadonlySet<string> = new Set(
  'return typeof case do else in instanceof new void delete throw await yield extends default of'.split(' '),
)

/** Words whose parentheses are not an operand. */
const HEADERS: ReadonlySet<string> = new Set(['if', 'while', 'for', 'with'])

/** Punctuators that end an operand. */
const ENDING: ReadonlySet<string> = new Set([...CLOSING, '++', '--'])

/** Punctuators that begin a statement and cannot continue one. */
const STARTING: ReadonlySet<string> = new Set(['{', '}', ';', '++', '--', '!', '~', '@'])

function tokenAt(text: string, at: number, mayBeRegExp: boolean): Pick<Token, 'kind' | 'text'> {
  if (text[at] === '`') return { kind: 'literal', text: text.slice(at, endOfTemplate(text, at)) }
  const word = match(WORD, text, at)
  if (word !== undefined) return { kind: 'word', text: word }
  const literal = match(NUMBER, text, at) ?? match(QUOTED, text, at) ?? (mayBeRegExp ? match(REGEXP, text, at) : undefined)
  if (literal !== undefined) return { kind: 'literal', text: literal }
  const sign = match(SIGN, text, at)
  if (sign === undefined) throw new Error(`unknown at ${at}`)
  return { kind: 'sign', text: sign }
}

/** Returns the offset after a template, including the expressions in it. */
function endOfTemplate(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '`') return at + 1
    else if (text[at] === '$' && text[at + 1] === '{') at = endOfBraces(text, at + 1)
  }
  throw new Error(`a template without an end at ${start}`)
}

/**
 * Returns the offset of the brace that closes the first one from an offset on.
 *
 * @throws Error if there is none.
 */
export function endOfBraces(text: string, start: number): number {
  let depth = 0
  for (const token of tokensOf(text, start, text.length)) {
    if (token.text === '{') depth += 1
    if (token.text === '}' && --depth === 0) return token.start
  }
  throw new Error(`a brace without an end at ${start}`)
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}
