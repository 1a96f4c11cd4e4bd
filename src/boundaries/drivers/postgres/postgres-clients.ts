import { processWide } from '../../../node/process-wide.ts'
import { requiredModulesIn } from '../../../node/required-modules.ts'
import { noteLocked } from '../../locked.ts'
import { combine, type Restore } from '../../patches.ts'
import { openPostgres } from './postgres-driver.ts'
import type { PostgresErrorClass, PostgresQuery } from './postgres-query.ts'

type Client = (strings: TemplateStringsArray) => PostgresQuery

/** The classes of queries found in each realm, with their error class. */
const met = processWide('postgres-queries', () => new WeakMap<object, Map<PostgresQuery, PostgresErrorClass>>())

/**
 * Opens the door of the package postgres. Its clients are functions, so there is no class to find; but it assigns its error class to each client
 * that it makes, even in a bundle. This assignment reaches a setter on the prototype of all functions.
 */
export function postgresDoor(): Restore {
  const queries = met.get(globalThis) ?? new Map<PostgresQuery, PostgresErrorClass>()
  met.set(globalThis, queries)
  const restores = [...queries].map(([prototype, errorClass]) => openPostgres(prototype, errorClass))
  const unwatch = watchClients((client, errorClass) => {
    // It connects only for a query that is awaited.
    const prototype = Object.getPrototypeOf(client``) as PostgresQuery
    if (queries.has(prototype)) return
    queries.set(prototype, errorClass)
    restores.push(openPostgres(prototype, errorClass))
  })
  for (const makeClient of requiredEarlier()) makeClient({ host: 'localhost' })
  return () => {
    unwatch()
    combine(...restores)()
  }
}

const key = 'PostgresError'

function watchClients(onClient: (client: Client, errorClass: PostgresErrorClass) => void): Restore {
  const set = function (this: unknown, value: unknown): void {
    // Like the assignment: it throws where no property may be added.
    Object.defineProperty(this, key, { value, writable: true, enumerable: true, configurable: true })
    if (isClient(this) && typeof value === 'function') onClient(this, value as PostgresErrorClass)
  }
  if (!Reflect.defineProperty(Function.prototype, key, { get: () => undefined, set, configurable: true })) {
    noteLocked(Function.prototype, key)
    return () => undefined
  }
  return () => {
    if (Object.getOwnPropertyDescriptor(Function.prototype, key)?.set === set) Reflect.deleteProperty(Function.prototype, key)
  }
}

/** Source: postgres 3, src/index.js: the properties that a client has before its error class. */
function isClient(value: unknown): value is Client {
  return typeof value === 'function' && ['unsafe', 'typed', 'file', 'largeObject'].every((name) => Object.hasOwn(value, name))
}

const ownFile = /[\\/]node_modules[\\/]postgres[\\/]cjs[\\/]src[\\/]index\.js$/

/** The exports of copies that were required earlier: functions that make clients. */
function requiredEarlier(): ((options: object) => Client)[] {
  return requiredModulesIn(ownFile).flatMap(([, module]) => {
    const exported: unknown = module?.exports
    return typeof exported === 'function' && Object.hasOwn(exported, key) ? [exported as (options: object) => Client] : []
  })
}
