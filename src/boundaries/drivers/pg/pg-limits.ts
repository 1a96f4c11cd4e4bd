import { EventEmitter } from 'node:events'
import { knownOrMade } from '../../../trace/remember.ts'
import { runOutside } from '../../../run/scope.ts'
import { shortestLimit, timerDelay } from '../../time-limit.ts'
import type { PgClient, PgLimits, PgQuery } from './pg-client.ts'

/** A client, or a pool. */
export interface PgLimited {
  /** Only of a client. */
  readonly connectionParameters?: PgLimits
  /** Only of a pool. */
  readonly options?: object
  /** Only of a pool: the class of its clients. */
  readonly Client?: unknown
}

const ofQueries = new WeakMap<object, unknown>()
const ofPools = new WeakMap<object, PgLimits>()

/** Remembers the limit that was passed to a client with a query: the driver's own query does not keep it. */
export function knowLimit(query: PgQuery, config: unknown): void {
  if (typeof config === 'object' && config !== null) ofQueries.set(query, (config as PgQuery).query_timeout)
}

/** The shorter of the driver's limit and the server's limit, in milliseconds. Undefined if there is none. */
export function limitOf(holder: PgLimited, query: PgQuery): number | undefined {
  // The limits of a pool's clients.
  const limits = holder.connectionParameters ?? knownOrMade(ofPools, holder, () => runOutside(() => readLimits(holder)))
  const { query_timeout: usual, statement_timeout: server, options } = limits
  const own = query.query_timeout || ofQueries.get(query) || usual
  return shortestLimit(own ? timerDelay(own) : 0, server ? Number.parseInt(server as string, 10) : limitInOptions(options))
}

/** Makes a driver create a query without the timer of its limit, since the trace answers it. */
export function withoutTimer<Result>(client: PgClient, config: unknown, make: (config: unknown) => Result): Result {
  const parameters: { query_timeout?: unknown } = client.connectionParameters ?? {}
  const { query_timeout: usual } = parameters
  const isGiven = typeof config === 'object' && config !== null && !('submit' in config) && 'query_timeout' in config
  parameters.query_timeout = false
  try {
    return make(isGiven ? (Object.create(config, { query_timeout: { value: false } }) as unknown) : config)
  } finally {
    parameters.query_timeout = usual
  }
}

/** Makes one of the driver's clients read the options of a pool: an address, the defaults of pg, the environment. */
function readLimits({ options, Client }: PgLimited): PgLimits {
  try {
    const Base = baseClass(Client)
    const withoutSocket = { ...options, connection: new EventEmitter(), Promise: undefined }
    return (Base && new Base(withoutSocket).connectionParameters) ?? {}
  } catch {
    // The pool itself reports the driver's refusal to the agent.
    return {}
  }
}

type ClientClass = new (options: object) => PgClient

/** The driver's own base class of a class of clients. */
function baseClass(Client: unknown): ClientClass | undefined {
  for (let each = Client; typeof each === 'function'; each = Object.getPrototypeOf(each) as unknown) {
    const prototype: unknown = each.prototype
    if (typeof prototype === 'object' && prototype !== null && Object.hasOwn(prototype, '_pulseQueryQueue')) return each as ClientClass
  }
  return undefined
}

/** PostgreSQL's units of time, in milliseconds. */
const units: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000, min: 60_000, h: 3_600_000, d: 86_400_000 }

/** `statement_timeout` in the server's options: `-c statement_timeout=5s`. The last one counts. */
function limitInOptions(options: unknown): number {
  if (typeof options !== 'string') return 0
  const [, number, unit = 'ms'] =
    [...options.matchAll(/(?:^|\s)(?:-c\s*|--)statement[-_]timeout=([\d.]+)(us|ms|s|min|h|d)?(?=\s|$)/gi)].at(-1) ?? []
  return Number(number) * (units[unit.toLowerCase()] ?? 0)
}
