import type { Effect } from '../../trace/boundary.ts'

/** The description of SQL: the name of its step, and whether it may change anything. */
export interface DescribedSql {
  /** The first word of the statement that decides: `SELECT`. */
  readonly verb: string
  readonly effect: Effect
}

/** Statements that change no row: they read, configure the connection, or delimit a transaction. */
const reading =
  /^(?:select|values|table|explain|pragma|begin|start|commit|end|rollback|abort|savepoint|release|attach|detach|analyze|set|reset|show|describe|desc|use|fetch|move|declare|close|listen|unlisten|discard|prepare|deallocate|lock|with|xa)$/i

/** Words that change rows in a statement that begins with a reading word: `WITH`, `EXPLAIN ANALYZE`, `SELECT … INTO`. */
const changing = /\b(?:insert|update|delete|replace|merge)\b(?!\s*\()/i

/**
 * Describes SQL by its keywords. SQL that begins with an unknown word may change something. Functions that a `SELECT` calls are not examined;
 * `FOR UPDATE` locks rows, which changes none.
 */
export function describeSql(sql: string): DescribedSql {
  const statements = statementsOf(sql, plainTexts)
  // Whether a backslash escapes depends on the database and its settings: a possible write counts as a write.
  const writing = [...statements, ...statementsOf(sql, escapedTexts)].find((statement) => !isReading(statement))
  return { verb: verbOf(writing ?? statements[0] ?? ''), effect: writing === undefined ? 'read' : 'write' }
}

/** The role of a statement in a transaction. */
export type TransactionPart = 'begins' | 'ends' | undefined

/** Whether a statement begins or ends a transaction. Of several, the first counts. */
export function transactionPart(sql: string): TransactionPart {
  const [text = ''] = statementsOf(sql, plainTexts)
  return partOf(text)
}

/** Whether a connection is in a transaction after some statements. @param isInside Whether it was before them. */
export function isInTransactionAfter(sql: string, isInside: boolean): boolean {
  return statementsOf(sql, plainTexts).reduce((inside, text) => {
    const part = partOf(text)
    if (part !== 'ends') return part === 'begins' || inside
    return inside && /\band\s+chain\b/i.test(text)
  }, isInside)
}

function partOf(text: string): TransactionPart {
  if (/^(?:begin|start\s+transaction)\b/i.test(text)) return 'begins'
  return /^(?:commit|end|abort|rollback(?!\s+(?:work\s+|transaction\s+)?to\b))\b/i.test(text) ? 'ends' : undefined
}

/** Whether a MySQL statement turns autocommit off or on. */
export function autocommitOf(sql: string): 'turned off' | 'turned on' | undefined {
  const [text = ''] = statementsOf(sql, plainTexts)
  const [, value] = autocommit.exec(text) ?? []
  if (value === undefined) return undefined
  return /^(?:0|off|false)$/i.test(value) ? 'turned off' : 'turned on'
}

const autocommit =
  /^set\b(?:[^]*,)?\s*(?:(?:session|local)\s+|@@(?:(?:session|local)\.)?)?autocommit\s*:?=\s*(0|off|false|1|on|true)\s*(?:,|$)/i

function isReading(statement: string): boolean {
  if (/^set\s+password\b/i.test(statement)) return false
  const verb = verbOf(statement)
  if (!reading.test(verb)) return false
  if (/^(?:with|explain|prepare|declare)$/i.test(verb)) return !changing.test(statement.replace(/\bfor\s+(?:no\s+key\s+)?update\b/gi, ''))
  return !/^select\b[^()]*\binto\b/i.test(statement)
}

function verbOf(statement: string): string {
  return /^\(*\s*([a-z]+)/i.exec(statement)?.[1]?.toUpperCase() ?? 'SQL'
}

/** Comments, string literals and quoted names. */
const plainTexts = /--[^\n]*|\/\*[^]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\$(\w*)\$[^]*?\$\1\$/g
const escapedTexts = /--[^\n]*|#[^\n]*|\/\*[^]*?\*\/|'(?:[^'\\]|''|\\.)*'|"(?:[^"\\]|""|\\.)*"|`[^`]*`|\$(\w*)\$.*?\$\1\$/gs

/** The statements of SQL, without comments, literals and quoted names. */
function statementsOf(sql: string, texts: RegExp): string[] {
  return sql
    .replace(texts, (text) => (/^(?:--|#|\/\*)/.test(text) ? ' ' : "''"))
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
}
