import { knownOrMade } from '../../node/remember.ts'

/** Which of several a call goes to. What a run has only one of is not named. */
export interface SessionInput {
  /** The second database that the run asks, or a later one. */
  readonly database?: number
  /** The second client of its own that the run asks, or a later one. */
  readonly client?: number
}

/** What each run has asked, in the order in which it did so first. */
const asked = new WeakMap<object, { readonly targets: string[]; readonly clients: object[] }>()

/**
 * Tells databases and clients of one run apart by numbers: addresses differ between production and tests, and are not compared.
 *
 * @param target The address of the database.
 * @param client Where it is not of a pool, which may give any of its clients.
 */
export function sessionOf(run: object, target: string, client: object | undefined): SessionInput {
  const known = knownOrMade(asked, run, () => ({ targets: [], clients: [] }))
  const database = numberIn(known.targets, target)
  const number = client === undefined ? 1 : numberIn(known.clients, client)
  return { ...(database > 1 && { database }), ...(number > 1 && { client: number }) }
}

const clients = new WeakMap<object, object[]>()

/** The same for a driver whose clients do not tell their address. @param client What is one for all calls of a client. */
export function sessionOfClient(run: object, client: object): SessionInput {
  const known = knownOrMade(clients, run, () => [])
  const number = numberIn(known, client)
  return number > 1 ? { client: number } : {}
}

function numberIn<Item>(list: Item[], item: Item): number {
  const place = list.indexOf(item)
  return place === -1 ? list.push(item) : place + 1
}
