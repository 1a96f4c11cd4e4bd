import type { PgField, PgResult } from './pg-messages.ts'

/**
 * Statements that libraries send once per connection, but not in a run that finds it open: Knex, Sequelize and TypeORM
 * look up the server's version and set how it writes values.
 */
const own =
  /^\s*(?:(?:select version\(\)|show server_version|select \* from current_schema\(\)|set (?:standard_conforming_strings|client_min_messages|client_encoding|intervalstyle|datestyle)\b[^;]*)\s*;?\s*)+$/i

/** Whether a query is one of these statements, which are not steps. */
export function isOwnStatement(config: unknown): boolean {
  const sql = textOf(config)
  return sql.length < 400 && own.test(sql)
}

/** The statement passed to a client. */
export function textOf(config: unknown): string {
  const text: unknown = typeof config === 'object' && config !== null ? Reflect.get(config, 'text') : config
  return typeof text === 'string' ? text : ''
}

/** The answer of the server in memory; undefined for a statement that returns nothing. */
export function ownAnswer(sql: string): PgResult | undefined {
  if (/select version\(\)/i.test(sql)) return oneText('version', 'PostgreSQL 17.0')
  if (/show server_version/i.test(sql)) return oneText('server_version', '17.0')
  return /current_schema\(\)/i.test(sql) ? oneText('current_schema', 'public') : undefined
}

function oneText(name: string, value: string): PgResult {
  const field: PgField = { name, type: 25 }
  return { fields: [field], rows: [[value]], command: 'SELECT 1' }
}
