/** One statement that changes no row: it reads, configures the connection, delimits a transaction, or creates what already exists. */
const HARMLESS =
  /^(?:(?:select|values|explain|pragma|begin|commit|end|rollback|savepoint|release|attach|detach|analyze|set|show|describe)\b|create\b[^(]*\bif\s+not\s+exists\b|with\b(?!.*\b(?:insert|update|delete|replace|merge)\b))/is

/**
 * Whether SQL outside of every run is harmless: all of its statements read, or create what already exists. Decided by keywords; unknown SQL
 * is not harmless.
 */
export function isHarmless(sql: string): boolean {
  const statements = sql
    .replace(/--[^\n]*|\/\*.*?\*\//gs, ' ')
    .split(';')
    .map((statement) => statement.trim())
  return statements.every((statement) => statement === '' || HARMLESS.test(statement))
}
