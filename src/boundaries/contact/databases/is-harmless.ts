/** One statement that changes no row: it reads, sets the connection up, bounds a transaction, or makes what is there already. */
const HARMLESS =
  /^(?:(?:select|values|explain|pragma|begin|commit|end|rollback|savepoint|release|attach|detach|analyze|set|show|describe)\b|create\b[^(]*\bif\s+not\s+exists\b|with\b(?!.*\b(?:insert|update|delete|replace|merge)\b))/is

/**
 * Whether SQL that is executed outside of every run can do no harm: all of its statements read, or set up what is there already. Told by its
 * words, so that what cannot be told is not.
 */
export function isHarmless(sql: string): boolean {
  const statements = sql
    .replace(/--[^\n]*|\/\*.*?\*\//gs, ' ')
    .split(';')
    .map((statement) => statement.trim())
  return statements.every((statement) => statement === '' || HARMLESS.test(statement))
}
