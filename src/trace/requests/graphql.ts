import { isJsonObject } from '../json.ts'

/**
 * Returns whether a body is a GraphQL request that only reads: a `query`, or a batch of them. A mutation writes, and so may a request that names a
 * stored operation by its hash, since the hash does not say which kind of operation it is.
 *
 * @see https://graphql.github.io/graphql-over-http/draft/#sec-Request-Parameters
 */
export function isGraphqlQuery(body: unknown): boolean {
  const requests: readonly unknown[] = Array.isArray(body) ? body : [body]
  return requests.length > 0 && requests.every((request) => isJsonObject(request) && readsOnly(request))
}

function readsOnly({ query, operationName }: Readonly<Record<string, unknown>>): boolean {
  if (typeof query !== 'string') return false
  const operations = operationsIn(query)
  const chosen = typeof operationName === 'string' ? operations.filter(({ name }) => name === operationName) : operations
  return chosen.length > 0 && chosen.every(({ kind }) => kind === 'query')
}

interface Operation {
  readonly kind: string
  readonly name: string
}

/** Returns the operations of a GraphQL document; none for any other text. @see https://spec.graphql.org/draft/#sec-Document */
function operationsIn(text: string): Operation[] {
  const tokens = tokensOf(text)
  const operations: Operation[] = []
  for (let at = 0; at < tokens.length;) {
    // A string in front of a definition describes it.
    if (tokens[at]?.startsWith('"') === true) at += 1
    const [kind = '', name = ''] = tokens[at] === '{' ? ['query'] : tokens.slice(at, at + 2)
    const body = startOfSelection(tokens, at)
    const end = endOfBrackets(tokens, body)
    // A selection names at least one field.
    if (!KINDS.has(kind) || end < body + 3) return []
    if (kind !== 'fragment') operations.push({ kind, name })
    at = end
  }
  return operations
}

const KINDS: ReadonlySet<string> = new Set(['query', 'mutation', 'subscription', 'fragment'])

/** White space, commas and comments; then strings, punctuators, names and numbers. @see https://spec.graphql.org/draft/#sec-Language.Source-Text */
const TOKEN =
  /(?:[\s,\uFEFF]|#.*)+|("""(?:\\"""|(?!""")[^])*"""|"(?:[^"\\\n\r]|\\.)*"|\.{3}|[!$&():=@[\]{|}]|[_A-Za-z]\w*|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/y

/** Returns the tokens of a text; none if a part of it is no token. */
function tokensOf(text: string): string[] {
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.length) {
    const found = TOKEN.exec(text)
    if (found === null) return []
    if (found[1] !== undefined) tokens.push(found[1])
  }
  return tokens
}

/** Returns the index of the brace that opens a definition's selection. Variables and arguments, in parentheses, have braces of their own. */
function startOfSelection(tokens: readonly string[], start: number): number {
  for (let at = start; at < tokens.length;) {
    if (tokens[at] === '{') return at
    const end = tokens[at] === '(' ? endOfBrackets(tokens, at) : at + 1
    if (end === -1) break
    at = end
  }
  return tokens.length
}

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

/** Returns the index behind the bracket that closes the one at `start`; -1 if none does. */
function endOfBrackets(tokens: readonly string[], start: number): number {
  const open: string[] = []
  for (let at = start; at < tokens.length; at += 1) {
    const token = tokens[at] ?? ''
    const closing = CLOSING[token]
    if (closing !== undefined) open.push(closing)
    else if (')]}'.includes(token) && open.pop() !== token) return -1
    if (open.length === 0) return at + 1
  }
  return -1
}
