import { autocommitOf } from '../../boundaries/drivers/sql.ts'
import { readingsOf, type SqlDialect } from './sql-readings.ts'

/** The effect of SQL on the transaction that it is part of. */
export type TransactionControl =
  /** Nothing. */
  | 'none'
  | 'begins'
  | 'keeps'
  | 'undoes'
  /** Sets a savepoint, rolls back to one or releases one. */
  | 'savepoint'
  /** Turns autocommit on or off from now on. */
  | 'turns autocommit on'
  | 'turns autocommit off'
  /** Configures the next transaction. */
  | 'configures'

/** The effect of SQL. `chains`: another transaction follows the one that it ends. */
export interface ReadControl {
  readonly control: TransactionControl
  readonly chains: boolean
}

/** Reads the effect of SQL on its transaction. Throws if it is unclear, or if the SQL commits in any case. */
export function readControl(sql: string, dialect: SqlDialect): ReadControl {
  const readings = readingsOf(sql, dialect).filter((statements) => statements.length > 0)
  for (const statements of readings) {
    const controlling = statements.find((statement) => controlOf(statement, dialect) !== 'none')
    if (controlling !== undefined && statements.length > 1)
      throw refused(`several statements at once, one of which controls transactions (${wordOf(controlling)})`, 'Send them one at a time.')
  }
  const [first = 'none', ...others] = readings.map(([statement = '']) => controlOf(statement, dialect))
  if (others.some((other) => other !== first)) throw refused('a statement inside what may be a comment or a string')
  return { control: first, chains: readings.some(([statement = '']) => /\band\s+chain\b/i.test(statement)) }
}

function controlOf(statement: string, dialect: SqlDialect): TransactionControl {
  if (dialect === 'postgres' && /^(?:(?:commit|rollback)\s+prepared|prepare\s+transaction)\b/i.test(statement))
    throw refused(wordOf(statement))
  if (/^start\s+transaction\b/i.test(statement)) return 'begins'
  if (dialect === 'postgres' ? /^begin\b/i.test(statement) : /^begin(?:\s+work)?$/i.test(statement)) return 'begins'
  if (/^(?:savepoint|release)\b|^rollback\s+(?:(?:work|transaction)\s+)?to\b/i.test(statement)) return 'savepoint'
  if (/^(?:rollback|abort)\b/i.test(statement)) return 'undoes'
  if (/^commit\b/i.test(statement) || (dialect === 'postgres' && /^end\b/i.test(statement))) return 'keeps'
  return dialect === 'mysql' ? controlInMysql(statement) : 'none'
}

/** Statements that do not commit. Source: MySQL, "Statements That Cause an Implicit Commit". */
const uncommitted =
  /^\(*\s*(?:select|insert|update|delete|replace|with|values|table|set|show|describe|desc|explain|do|use|handler|help|load\s+(?:data|xml)|prepare|deallocate|get|signal|resignal|(?:create|drop)\s+temporary\s+table)\b/i

function controlInMysql(statement: string): TransactionControl {
  if (statement !== '' && !uncommitted.test(statement))
    throw refused(`${wordOf(statement)}, which commits or may commit in MySQL`, 'Use a separate clone, without "rollback".')
  if (!/^set\b/i.test(statement)) return 'none'
  if (/^set\s+(?:password|default\s+role|statement)\b/i.test(statement)) throw refused('a SET that commits or may commit in MySQL')
  if (/^set\s+(?:local\s+)?transaction\b/i.test(statement)) return 'configures'
  const autocommit = autocommitOf(statement)
  if (autocommit !== undefined) return autocommit === 'turned on' ? 'turns autocommit on' : 'turns autocommit off'
  if (/\bautocommit\b/i.test(statement)) throw refused('a SET of "autocommit" to an unknown value')
  return 'none'
}

function wordOf(statement: string): string {
  return /[a-z]+(?:\s+[a-z]+)?/i.exec(statement)?.[0].toUpperCase() ?? 'SQL'
}

function refused(what: string, instead?: string): Error {
  return new Error(`A sandbox that is rolled back does not run ${what}.${instead === undefined ? '' : ` ${instead}`}`)
}
