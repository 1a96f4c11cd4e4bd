import { knownOrMade } from '../../trace/remember.ts'

/** The database and client that a call goes to, if the run has several. The only one is not named. */
export interface SessionInput {
  /** The second or a later database that the run queries. */
  readonly database?: number
  /** The second or a later client of its own that the run uses. */
  readonly client?: number
}

const numberOfTarget = numberedInRuns()
const numberOfClient = numberedInRuns()

/**
 * Numbers the databases and clients of one run: addresses differ between production and tests, and are not compared.
 *
 * @param target The address of the database.
 * @param client Given if it is not a pool's client: a pool may use any of its clients.
 */
export function sessionOf(run: object, target: string, client: object | undefined): SessionInput {
  const database = numberOfTarget(run, target)
  const number = client === undefined ? 1 : numberOfClient(run, client)
  return { ...(database > 1 && { database }), ...(number > 1 && { client: number }) }
}

const numberOfOther = numberedInRuns()

/** Like `sessionOf`, for a driver whose clients do not expose their address. @param client One object for all calls of a client. */
export function sessionOfClient(run: object, client: object): SessionInput {
  const number = numberOfOther(run, client)
  return number > 1 ? { client: number } : {}
}

/** Returns a function that numbers the items of each run in the order of first use, from 1. */
export function numberedInRuns(): (run: object, item: unknown) => number {
  const runs = new WeakMap<object, Map<unknown, number>>()
  return (run, item) => {
    const numbers = knownOrMade(runs, run, () => new Map())
    return knownOrMade(numbers, item, () => numbers.size + 1)
  }
}
