import { CLOSING, continues, endsOperand, OPENING, type Token, tokensOf } from './tokens.ts'

/** A declaration of one or more variables, by offsets in the script. */
export interface Declaration {
  readonly names: readonly string[]
  /** The offset from which the variables have their values. */
  readonly end: number
  /** In a `switch`: the clause that contains it, and the end of that clause. Other clauses can be reached without running it. */
  readonly clause?: { readonly start: number; end: number }
}

/** The declarations of a scope. */
export interface ScopeDeclarations {
  /** With `let`, `const`, `class` and `using`. */
  readonly declared: readonly Declaration[]
  /** Functions, which exist from the start of the scope. */
  readonly functions: readonly string[]
  /** Whether the scope is a loop's head, copied for one iteration: all variables have values. */
  readonly isCopy?: true
}

/**
 * Finds the declarations of a scope. V8 keeps a block's variables in registers, which hold values of the previous iteration until the declarations
 * run. Only the place of a declaration shows whether it has run.
 *
 * @param from The offset at which V8 says that the scope begins: the parameters of a function, the declaration of a loop, the brace of a block.
 * @returns Undefined for any other scope.
 */
export function declarationsIn(text: string, from: number, to: number): ScopeDeclarations | undefined {
  try {
    const tokens = [...tokensOf(text, from, to)]
    const [first, second] = tokens
    if (first === undefined) return undefined
    if (first.text === ';') return { declared: [], functions: [], isCopy: true }
    const inside = first.text === '(' && isKeyword(second) ? 1 : 0
    if (isKeyword(tokens[inside])) return new Scan(tokens).head(inside)
    const body = bodyOf(tokens)
    return body === undefined ? { declared: [], functions: [] } : new Scan(tokens).body(body + 1)
  } catch {
    return undefined
  }
}

/** Returns the names whose declarations have not run when the program is at an offset. */
export function notDeclaredYet({ declared }: ScopeDeclarations, at: number): string[] {
  const later = declared.filter(({ end, clause }) => at < end || (clause !== undefined && (at < clause.start || at >= clause.end)))
  return [...new Set(later.flatMap(({ names }) => names))]
}

const KEYWORDS: ReadonlySet<string> = new Set(['let', 'const', 'using', 'await', 'var'])

function isKeyword(token: Token | undefined): boolean {
  return token?.kind === 'word' && KEYWORDS.has(token.text)
}

/** Returns the index of the brace of a block, a `switch` or a function; undefined for an arrow function without braces. */
function bodyOf(tokens: readonly Token[]): number | undefined {
  let index = 0
  // `async function* name(…) {`, `switch (…) {`, `async (…) => {`, `(…) {`, `each => {`
  while (tokens[index]?.kind === 'word' || tokens[index]?.text === '*') index += 1
  if (tokens[index]?.text === '(') index = closing(tokens, index) + 1
  if (tokens[index]?.text === '=>') index += 1
  return tokens[index]?.text === '{' ? index : undefined
}

/** Returns the index of the token that closes the bracket at an index. */
function closing(tokens: readonly Token[], start: number): number {
  let depth = 0
  for (let index = start; index < tokens.length; index += 1) {
    const text = textOf(tokens[index])
    if (OPENING.has(text)) depth += 1
    if (CLOSING.has(text)) depth -= 1
    if (depth === 0) return index
  }
  throw new Error('a bracket without an end')
}

/** Returns the text of a token; an empty text for a literal, which may look like a bracket. */
function textOf(token: Token | undefined): string {
  return token?.kind === 'literal' ? '' : (token?.text ?? '')
}

/** Reads declarations from tokens. */
class Scan {
  readonly #tokens: readonly Token[]
  readonly #declared: Declaration[] = []
  readonly #functions: string[] = []
  #clause: { readonly start: number; end: number } | undefined

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  /** Reads the head of a loop, from its declaration on. */
  head(start: number): ScopeDeclarations {
    const first = start + (textOf(this.#tokens[start]) === 'await' ? 2 : 1)
    const pattern = this.#patternEnd(first)
    const each = this.#tokens[pattern]
    if (each?.kind === 'word' && (each.text === 'of' || each.text === 'in')) {
      // Inside the head, variables have the values of the previous iteration.
      let end = pattern
      for (; end < this.#tokens.length && textOf(this.#tokens[end]) !== ')'; end += 1) end = this.#skip(end)
      this.#add(first, pattern, this.#tokens[end])
    } else this.#declarators(first)
    return { declared: this.#declared, functions: this.#functions }
  }

  /** Reads the statements of a block, without those of nested blocks. */
  body(start: number): ScopeDeclarations {
    for (let index = start; index < this.#tokens.length && textOf(this.#tokens[index]) !== '}'; index += 1) {
      const token = this.#tokens[index]
      const next = this.#tokens[index + 1]
      const isName = textOf(this.#tokens[index - 1]) === '.' || textOf(next) === ':'
      if (token?.kind === 'word' && !isName) index = this.#statement(index, token.text, next)
      else if (token?.kind === 'word' && token.text === 'default') this.#beginClause(token)
      else index = this.#skip(index)
    }
    if (this.#clause !== undefined) this.#clause.end = this.#tokens.at(-1)?.end ?? this.#clause.end
    return { declared: this.#declared, functions: this.#functions }
  }

  /** @returns The index of the last token that was read. */
  #statement(index: number, word: string, next: Token | undefined): number {
    const isBinding = next?.kind === 'word' || textOf(next) === '[' || textOf(next) === '{'
    if (word === 'const' || (word === 'let' && isBinding)) return this.#declarators(index + 1)
    if (word === 'using' && next?.kind === 'word' && !next.isOnNewLine) return this.#declarators(index + 1)
    if (word === 'case') this.#beginClause(this.#tokens[index])
    if ((word === 'class' || word === 'function') && this.#isStart(index)) return this.#named(index, word)
    return index
  }

  #beginClause(token: Token | undefined): void {
    if (this.#clause !== undefined) this.#clause.end = token?.start ?? 0
    this.#clause = { start: token?.start ?? 0, end: Infinity }
  }

  /** Whether a statement begins at an index. Elsewhere, a class or a function is an expression. */
  #isStart(index: number): boolean {
    const before = this.#tokens[index - 1]
    if (before === undefined || ['{', '}', ';', ':'].includes(textOf(before))) return true
    if (before.text === 'async') return this.#isStart(index - 1)
    return this.#tokens[index]?.isOnNewLine === true && endsOperand(before)
  }

  #named(index: number, word: string): number {
    const at = index + (textOf(this.#tokens[index + 1]) === '*' ? 2 : 1)
    let brace = at
    while (brace < this.#tokens.length && textOf(this.#tokens[brace]) !== '{')
      brace = textOf(this.#tokens[brace]) === '(' ? closing(this.#tokens, brace) + 1 : brace + 1
    const end = closing(this.#tokens, brace)
    if (word === 'class') this.#add(at, at + 1, this.#tokens[end])
    else this.#functions.push(this.#tokens[at]?.text ?? '')
    return end
  }

  /** @returns The index of the last token of the declaration. */
  #declarators(start: number): number {
    let index = start
    for (;;) {
      const pattern = this.#patternEnd(index)
      let end = pattern
      while (!this.#endsExpression(end)) end = this.#skip(end) + 1
      this.#add(index, pattern, this.#tokens[end - 1])
      if (textOf(this.#tokens[end]) !== ',') return end - 1
      index = end + 1
    }
  }

  #patternEnd(start: number): number {
    const end = OPENING.has(textOf(this.#tokens[start])) ? closing(this.#tokens, start) : start
    return end + 1
  }

  #endsExpression(index: number): boolean {
    const [before, token] = [this.#tokens[index - 1], this.#tokens[index]]
    if (token === undefined || [',', ';', ')', ']', '}'].includes(textOf(token))) return true
    return token.isOnNewLine && before !== undefined && endsOperand(before) && !continues(token)
  }

  /** Returns the index of the token that closes a bracket at an index; without a bracket, the index itself. */
  #skip(index: number): number {
    return OPENING.has(textOf(this.#tokens[index])) ? closing(this.#tokens, index) : index
  }

  #add(from: number, to: number, last: Token | undefined): void {
    const names = this.#tokens.slice(from, to).flatMap((token, index, pattern) => {
      const isKey = textOf(pattern[index + 1]) === ':'
      return token.kind === 'word' && !isKey ? [token.text] : []
    })
    const known = new Set(this.#declared.flatMap((each) => each.names))
    // A default in a pattern may read earlier declarations.
    const own = names.filter((name) => !known.has(name))
    this.#declared.push({ names: own, end: last?.end ?? Infinity, ...(this.#clause !== undefined && { clause: this.#clause }) })
  }
}
