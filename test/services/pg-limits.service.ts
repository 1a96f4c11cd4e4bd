import pg from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type Gate, startGate } from '../support/gate.ts'
import { holdDriver } from '../support/hold-driver.ts'
import { type Service, startPostgres } from '../support/services.ts'

let server: Service
let gate: Gate
beforeAll(async () => {
  server = await startPostgres()
  gate = await startGate(server.port)
})
afterAll(async () => {
  await gate[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

type Options = Readonly<Record<string, unknown>>

const sleep = 'SELECT pg_sleep(0.1)'
const late = [{ cause: 'time-limit', received: { limit: 30 } }]
const address = (): Options => ({ port: gate.port, host: '127.0.0.1', user: 'postgres', database: 'postgres' })
const url = (query = ''): string => `postgres://postgres@127.0.0.1:${gate.port}/postgres${query}`
const close = (db: { end(): Promise<void> }): Promise<void> => db.end()

async function connected(options: Options): Promise<pg.Client> {
  const client = new pg.Client(options)
  await client.connect()
  return client
}

it('compares query_timeout of a query of a client, in a transaction as well', async () => {
  let [ofClient, ofQuery]: Options[] = [{}, {}]
  const held = await holdDriver({
    gate,
    open: () => connected({ ...address(), ...ofClient }),
    close,
    async agent(client) {
      await client.query('BEGIN')
      await client.query({ text: sleep, ...ofQuery })
      await client.query('COMMIT')
      return (await client.query({ text: sleep, values: [], ...ofQuery })).rowCount
    },
  })
  ofQuery = { query_timeout: 30 }
  expect((await held.replay()).divergences).toMatchObject([...late, ...late])
  ;[ofClient, ofQuery] = [{ query_timeout: 30 }, { query_timeout: 5000 }]
  expect((await held.replay()).divergences).toEqual([])
  ofQuery = {}
  expect((await held.replay()).divergences).toMatchObject([...late, ...late])
})

/** Options of a client or a pool, and the limit that they are. */
const given: readonly (readonly [name: string, options: () => Options, limit: number | undefined])[] = [
  ['query_timeout of an address', () => ({ connectionString: url('?query_timeout=30') }), 30],
  ['statement_timeout of an address', () => ({ connectionString: url('?statement_timeout=30') }), 30],
  ['options of an address', () => ({ connectionString: url('?options=-c%20statement_timeout%3D30') }), 30],
  ['a limit of an address beside another one', () => ({ connectionString: url('?query_timeout=30'), query_timeout: 5000 }), 30],
  ['statement_timeout with a unit, which pg leaves out', () => ({ statement_timeout: '5s' }), 5],
  ['statement_timeout as a BigInt', () => ({ statement_timeout: 30n }), 30],
  ['query_timeout as a text', () => ({ query_timeout: '30' }), 30],
  ['query_timeout that a timer cannot read', () => ({ query_timeout: '5s' }), 1],
  ['query_timeout that is too long for a timer', () => ({ query_timeout: 2 ** 31 }), 1],
  ['statement_timeout of options', () => ({ options: '-c work_mem=4MB -c statement_timeout=30' }), 30],
  ['statement_timeout of options, with a unit', () => ({ options: '--statement-timeout=0.03s' }), 30],
  ['statement_timeout beside options', () => ({ options: '-c statement_timeout=30', statement_timeout: 5000 }), undefined],
  ['the last one of options', () => ({ options: '-c statement_timeout=30 -cstatement_timeout=5s' }), undefined],
  ['query_timeout where a pool has a class of clients of its own', () => ({ Client: class extends pg.Client {}, query_timeout: 30 }), 30],
  ['no limits', () => ({ statement_timeout: 0, query_timeout: false, options: '-c statement_timeout=0' }), undefined],
]

it.each(given)('reads limits as pg does: %s', async (_name, options, limit) => {
  for (const Db of [pg.Pool, pg.Client]) {
    let now: Options = {}
    const held = await holdDriver({
      gate,
      open: () => {
        const { connectionString, ...others } = now
        return connectionString === undefined ? new Db({ ...address(), ...others }) : new Db({ connectionString, ...others } as object)
      },
      close,
      agent: async (db: pg.Pool | pg.Client) => {
        if (db instanceof pg.Client) await db.connect()
        return (await db.query(sleep)).rowCount
      },
    })
    now = options()
    const expected = limit === undefined ? [] : [{ cause: 'time-limit', received: { limit } }]
    expect((await held.replay()).divergences).toMatchObject(expected)
  }
})

it('compares limits of the defaults of pg, and of the environment', async () => {
  const held = await holdDriver({
    gate,
    open: () => new pg.Pool(address()),
    close,
    agent: async (db) => (await db.query(sleep)).rowCount,
  })
  const expectLate = async (): Promise<void> => expect((await held.replay()).divergences).toMatchObject(late)
  pg.defaults.query_timeout = 30
  await expectLate().finally(() => (pg.defaults.query_timeout = 0))
  pg.defaults.statement_timeout = 30
  await expectLate().finally(() => (pg.defaults.statement_timeout = false))
  vi.stubEnv('PGOPTIONS', '-c statement_timeout=30')
  await expectLate().finally(() => vi.unstubAllEnvs())
})
