import { knownOrMade } from '../../node/remember.ts'

/** The database and client that a call goes to, if the run has several. The only one is not named. */
export interface SessionInput {
  /** The second or a later database that the run queries. */
  readonly database?: number
  /** The second or a later client of its own that the run uses. */
  readonly client?: number
}

/** The databases and clients that each run has used, in the order of first use. */
const asked = new WeakMap<object, { readonly targets: string[]; readonly clients: object[] }>()

/**
 * Numbers the databases and clients of one run: addresses differ between production and tests, and are not compared.
 *
 * @param target The address of the database.
 * @param client Given if it is not a pool's client: a pool may use any of its clients.
 */
export function sessionOf(run: object, target: string, client: object | undefined): SessionInput {
  const known = knownOrMade(asked, run, () => ({ targets: [], clients: [] }))
  const database = numberIn(known.targets, target)
  const number = client === undefined ? 1 : numberIn(known.clients, client)
  return { ...(database > 1 && { database }), ...(number > 1 && { client: number }) }
}

const clients = new WeakMap<object, object[]>()

/** Like `sessionOf`, for a driver whose clients do not expose their address. @param client One object for all calls of a client. */
export function sessionOfClient(run: object, client: object): SessionInput {
  const known = knownOrMade(clients, run, () => [])
  const number = numberIn(known, client)
  return number > 1 ? { client: number } : {}
}

function numberIn<Item>(list: Item[], item: Item): number {
  const place = list.indexOf(item)
  return place === -1 ? list.push(item) : place + 1
}
