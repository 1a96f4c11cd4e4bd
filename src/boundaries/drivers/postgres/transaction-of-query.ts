import { knownOrMade } from '../../../trace/remember.ts'
import { transactionPart } from '../sql.ts'
import type { PostgresQuery } from './postgres-query.ts'

/** The transactions of one run. */
interface Transactions {
  begun: number
  /** Transactions whose first statement has not come yet. */
  readonly waiting: number[]
  /** Transactions by the handler that sends their statements: each transaction and each savepoint has its own. */
  readonly bySender: Map<object, number | undefined>
}

const known = new WeakMap<object, Transactions>()

const ofFiles = new WeakSet<object>()

/** Notes that a query of a file has its own handler, which does not reveal its transaction. */
export function hasOwnSender(query: PostgresQuery): void {
  ofFiles.add(query)
}

/** The transaction that a query is part of, numbered within its run; undefined outside of one, and for the query of a file. */
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
