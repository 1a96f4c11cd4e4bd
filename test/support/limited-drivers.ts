import { afterAll, beforeAll } from 'vitest'
import { type Service, startMariadb, startPostgres, startRedis } from './services.ts'

/** How many milliseconds a call may take; undefined for no limit. */
export interface Given {
  limit: number | undefined
}

/** A client with a limit, and a call that takes longer than some limits. */
export interface LimitedCase<Client> {
  readonly open: (port: number, given: Given) => Client | Promise<Client>
  readonly ask: (client: Client, given: Given) => Promise<unknown>
  readonly close: (client: Client) => unknown
}

export const ofPostgres = { host: '127.0.0.1', user: 'postgres', database: 'postgres' } as const

/** The limit as an option of a driver. */
export const named = (name: string, { limit }: Given): object => (limit === undefined ? {} : { [name]: limit })

/** The servers that the drivers ask, once the tests begin. */
interface Servers {
  readonly postgres: Service
  readonly mariadb: Service
  readonly redis: Service
}

/** Starts the servers before the tests, and ends them after. */
export function useServers(): () => Servers {
  let started: Servers | undefined
  beforeAll(async () => {
    const [postgres, mariadb, redis] = await Promise.all([startPostgres(), startMariadb(), startRedis()])
    started = { postgres, mariadb, redis }
  })
  afterAll(async () => {
    for (const server of Object.values(started ?? {}) as Service[]) await server[Symbol.asyncDispose]()
  })
  return () => {
    if (started === undefined) throw new Error('The servers start with the tests.')
    return started
  }
}
