import { isPromise } from 'node:util/types'
import type { AnsweredRun } from '../../../run/active-run.ts'
import { askDatabase } from './known-statements.ts'

interface Connection {
  exec(sql: string): unknown
}

// The replay whose transaction is open on each connection.
const open = new Map<object, AnsweredRun>()

/** Statements that only delimit transactions. */
const control = /^(?:begin|commit|end|rollback|savepoint|release)\b/i

/** Whether SQL is one statement that delimits a transaction. */
export function isControl(sql: string): boolean {
  const [first = '', ...others] = partsOf(sql)
  return others.length === 0 && control.test(first)
}

/**
 * Delimits a transaction on the connection as well, so that the driver reports whether it is in one. It begins without a lock, and nothing is
 * read or written in it.
 *
 * @returns The driver's result for the last statement; some drivers return a promise.
 */
export function mirrorTransaction(run: AnsweredRun, connection: object, sql: string): unknown {
  if (/\bcreate\s+(?:temp\s+|temporary\s+)?trigger\b/i.test(sql)) return undefined
  let last: unknown
  for (const part of partsOf(sql)) {
    if (!control.test(part)) continue
    open.set(connection, run)
    last = execute(connection, part.replace(/^begin\b.*/is, 'BEGIN'))
  }
  return last
}

/** Ends the transaction on the connection if the failed statement's own conflict clause ended it. Source: https://sqlite.org/lang_conflict.html */
export function mirrorFailure(connection: object, sql: string, error: unknown): unknown {
  const endsOnConflict = partsOf(sql).some((part) => /\bor\s+rollback\b/i.test(part))
  const isConflict = error instanceof Error && error.message.includes('constraint failed')
  return endsOnConflict && isConflict ? execute(connection, 'ROLLBACK') : undefined
}

/** Ends transactions that were left open by replays that are over. */
export function endLeftTransactions(): void {
  for (const [connection, run] of open) if (run.ended) endLeftTransaction(undefined, connection)
}

/** Ends the transaction that another replay has left open on a connection that it did not open. */
export function endLeftTransaction(run: object | undefined, connection: object): void {
  const owner = open.get(connection)
  if (owner === undefined || owner === run) return
  open.delete(connection)
  execute(connection, 'ROLLBACK')
}

function execute(connection: object, sql: string): unknown {
  try {
    const given = askDatabase(() => (connection as Connection).exec(sql))
    return isPromise(given) ? given.catch(() => undefined) : undefined
  } catch {
    // There is no transaction, or one is already open, as in the recording.
    return undefined
  }
}

function partsOf(sql: string): string[] {
  const texts = /--[^\n]*|\/\*[^]*?\*\/|'(?:[^']|'')*'/g
  const plain = sql.replace(texts, (text) => (text.startsWith("'") ? "''" : ' '))
  return plain
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
