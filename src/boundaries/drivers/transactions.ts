import { autocommitOf, transactionPart } from './sql.ts'

interface Open {
  readonly run: object
  readonly number: number
}

const counts = new WeakMap<object, number>()
const open = new WeakMap<object, Open>()
/** The run that turned off autocommit on a connection. */
const withoutAutocommit = new WeakMap<object, object>()

/**
 * The transaction that a statement is part of, numbered within its run; undefined outside of one.
 *
 * @param connection The object that holds the transaction: a client, or a pool's connection.
 */
export function transactionOf(run: object, connection: object, sql: string): number | undefined {
  const part = transactionPart(sql)
  if (part === 'begins') return begin(run, connection)
  const autocommit = autocommitOf(sql)
  if (autocommit === 'turned off') withoutAutocommit.set(connection, run)
  const isManual = withoutAutocommit.get(connection) === run
  const current = open.get(connection)
  const number = current?.run === run ? current.number : undefined
  const ends = part === 'ends' || (autocommit === 'turned on' && isManual)
  if (ends) open.delete(connection)
  if (autocommit === 'turned on') withoutAutocommit.delete(connection)
  return number === undefined && isManual && !ends && autocommit === undefined ? begin(run, connection) : number
}

function begin(run: object, connection: object): number {
  const number = (counts.get(run) ?? 0) + 1
  counts.set(run, number)
  open.set(connection, { run, number })
  return number
}
