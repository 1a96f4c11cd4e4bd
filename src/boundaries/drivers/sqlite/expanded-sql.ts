import { askDatabase } from './known-statements.ts'

/** Names, literals and comments, in which nothing is a parameter, and parameters. Source: https://sqlite.org/lang_expr.html#varparam */
const tokens =
  /[a-z_\u0080-\uffff][\w$\u0080-\uffff]*|'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|\/\*[^]*?(?:\*\/|$)|(\?\d*|[:@$][\w$\u0080-\uffff]+)/gi

interface Parameter {
  readonly token: string
  readonly index: number
}

interface Database {
  prepare(sql: string): { all(value: unknown): unknown; readonly expandedSQL: string }
}

/** SQL with values in place of its parameters, like Node's `expandedSQL`. @param args The arguments of the statement's last execution. */
export function expandSql(database: object, sql: string, args: readonly unknown[]): string {
  const parameters = parametersOf(sql)
  const values = bind(parameters, args)
  let next = 0
  return sql.replace(tokens, (token, parameter?: string) => {
    if (parameter === undefined) return token
    next += 1
    return literalOf(database as Database, values.get(parameters[next - 1]?.index ?? 0))
  })
}

function parametersOf(sql: string): Parameter[] {
  const known = new Map<string, number>()
  let largest = 0
  const parameters: Parameter[] = []
  for (const [, token] of sql.matchAll(tokens)) {
    if (token === undefined) continue
    const given = token.length > 1 && token.startsWith('?') ? Number(token.slice(1)) : known.get(token)
    const index = given ?? largest + 1
    if (isNamed(token)) known.set(token, index)
    largest = Math.max(largest, index)
    parameters.push({ token, index })
  }
  return parameters
}

/** The values by parameter number. Source: Node, src/node_sqlite.cc, `BindParams`. */
function bind(parameters: readonly Parameter[], args: readonly unknown[]): Map<number, unknown> {
  const named = parameters.filter(({ token }) => isNamed(token))
  const values = new Map<number, unknown>()
  const [first] = args
  const hasNames = typeof first === 'object' && first !== null && !ArrayBuffer.isView(first)
  for (const [name, value] of hasNames ? Object.entries(first) : []) {
    const parameter = named.find(({ token }) => token === name || token.slice(1) === name)
    if (parameter !== undefined) values.set(parameter.index, value)
  }
  let index = 0
  for (const value of hasNames ? args.slice(1) : args) {
    do index += 1
    while (named.some((parameter) => parameter.index === index))
    values.set(index, value)
  }
  return values
}

function isNamed(token: string): boolean {
  return !token.startsWith('?')
}

/** A value as SQLite writes it. */
function literalOf(database: Database, value: unknown): string {
  const before = 'SELECT 1 WHERE '
  return askDatabase(() => {
    const statement = database.prepare(`${before}?`)
    try {
      statement.all(value ?? null)
    } catch {
      // The driver refused the value, so it is not bound.
    }
    return statement.expandedSQL.slice(before.length)
  })
}
