import { knownOrMade } from '../../../node/remember.ts'
import { transactionPart } from '../sql.ts'
import type { PostgresQuery } from './postgres-query.ts'

/** The transactions of one run. */
interface Transactions {
  begun: number
  /** Those whose first statement is yet to come. */
  readonly waiting: number[]
  /** By what sends their statements: each transaction has its own, and so has each savepoint. */
  readonly bySender: Map<object, number | undefined>
}

const known = new WeakMap<object, Transactions>()

const ofFiles = new WeakSet<object>()

/** The query of a file has a sender of its own, which does not tell its transaction. */
export function hasOwnSender(query: PostgresQuery): void {
  ofFiles.add(query)
}

/** The transaction that a query is part of, numbered within its run; undefined outside of one, and of the query of a file. */
export function transactionOfQuery(run: object, query: PostgresQuery, sql: string): number | undefined {
  if (ofFiles.has(query)) return undefined
  const { handler, options } = query
  const transactions = knownOrMade(known, run, () => ({ begun: 0, waiting: [], bySender: new Map<object, number | undefined>() }))
  if (options.onexecute !== undefined && transactionPart(sql) === 'begins') {
    transactions.begun += 1
    transactions.waiting.push(transactions.begun)
    transactions.bySender.set(handler, undefined)
    return transactions.begun
  }
  if (!transactions.bySender.has(handler)) transactions.bySender.set(handler, transactions.waiting.shift())
  return transactions.bySender.get(handler)
}
