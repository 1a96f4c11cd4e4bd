import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { Redis } from 'ioredis'
import mysql from 'mysql2'
import mysqlPromise from 'mysql2/promise'
import pg from 'pg'
import { createClient, createClientPool, ErrorReply } from 'redis'
import { afterAll, afterEach, beforeAll, describe, it } from 'vitest'
import { type Gate, startGate } from '../support/gate.ts'
import { holdDriver } from '../support/hold-driver.ts'
import { type Service, startMariadb, startPostgres, startRedis } from '../support/services.ts'

// As CommonJS it is met where it is loaded.
const postgres = createRequire(import.meta.url)('postgres') as typeof import('postgres')

let services: readonly Service[]
let gates: { readonly pg: Gate; readonly mysql: Gate; readonly redis: Gate }
let web: Server
beforeAll(async () => {
  const [postgresServer, mariadb, redis] = await Promise.all([startPostgres(), startMariadb(), startRedis()])
  services = [postgresServer, mariadb, redis]
  gates = { pg: await startGate(postgresServer.port), mysql: await startGate(mariadb.port), redis: await startGate(redis.port) }
  web = createServer((request, response) => {
    const wait = Number(new URL(request.url ?? '', 'http://localhost').searchParams.get('wait'))
    setTimeout(() => response.end(`after ${wait}`), wait)
  }).listen(0, '127.0.0.1')
  await once(web, 'listening')
})
afterEach(() => {
  for (const gate of Object.values(gates)) gate.slow(0)
})
afterAll(async () => {
  for (const gate of Object.values(gates)) await gate[Symbol.asyncDispose]()
  for (const service of services) await service[Symbol.asyncDispose]()
  web.close()
})

/** What an agent does once it is connected, and how it lets go. */
interface Connected {
  ask(): Promise<unknown>
  end(): unknown
}

interface Way {
  readonly name: string
  readonly gate: () => Gate
  readonly connect: () => Promise<Connected>
}

const host = '127.0.0.1'
const pgOptions = (): pg.ClientConfig => ({ port: gates.pg.port, host, user: 'postgres', database: 'postgres' })
const mysqlOptions = (): mysql.ConnectionOptions => ({ port: gates.mysql.port, host, user: 'agent', database: 'test' })
const pgGate = (): Gate => gates.pg
const mysqlGate = (): Gate => gates.mysql
const redisGate = (): Gate => gates.redis

const ways: readonly Way[] = [
  {
    name: 'pg, a client',
    gate: pgGate,
    async connect() {
      const client = new pg.Client(pgOptions())
      await client.connect()
      return { ask: async () => (await client.query('SELECT 1 AS n')).rows, end: () => client.end() }
    },
  },
  {
    name: 'pg, a client with a callback',
    gate: pgGate,
    async connect() {
      const client = new pg.Client(pgOptions())
      await new Promise<void>((resolve, reject) => client.connect((error?: Error | null) => (error ? reject(error) : resolve())))
      return { ask: async () => (await client.query('SELECT 1 AS n')).rows, end: () => client.end() }
    },
  },
  {
    name: 'pg, a pool',
    gate: pgGate,
    async connect() {
      const pool = new pg.Pool(pgOptions())
      const client = await pool.connect()
      client.release()
      return { ask: async () => (await pool.query('SELECT 1 AS n')).rows, end: () => pool.end() }
    },
  },
  {
    name: 'postgres',
    gate: pgGate,
    async connect() {
      const sql = postgres(`postgres://postgres@${host}:${gates.pg.port}/postgres`)
      await sql`SELECT 0`
      return { ask: async () => [...(await sql`SELECT 1 AS n`)], end: () => sql.end() }
    },
  },
  {
    name: 'mysql2/promise',
    gate: mysqlGate,
    async connect() {
      const connection = await mysqlPromise.createConnection(mysqlOptions())
      return { ask: async () => (await connection.query('SELECT 1 AS n'))[0], end: () => connection.end() }
    },
  },
  {
    name: 'mysql2, with a callback',
    gate: mysqlGate,
    async connect() {
      const connection = mysql.createConnection(mysqlOptions())
      await new Promise<void>((resolve, reject) => connection.connect((error) => (error ? reject(error) : resolve())))
      const ask = (): Promise<unknown> =>
        new Promise((resolve, reject) => connection.query('SELECT 1 AS n', (error, rows) => (error ? reject(error) : resolve(rows))))
      return { ask, end: () => new Promise((resolve) => connection.end(resolve)) }
    },
  },
  {
    name: 'mysql2, with an event',
    gate: mysqlGate,
    async connect() {
      const connection = mysql.createConnection(mysqlOptions())
      await new Promise<unknown>((resolve, reject) => connection.once('connect', resolve).once('error', reject))
      const ask = (): Promise<unknown> =>
        new Promise((resolve, reject) => connection.query('SELECT 1 AS n', (error, rows) => (error ? reject(error) : resolve(rows))))
      return { ask, end: () => new Promise((resolve) => connection.end(resolve)) }
    },
  },
  {
    name: 'mysql2, a pool',
    gate: mysqlGate,
    async connect() {
      const pool = mysqlPromise.createPool(mysqlOptions())
      const connection = await pool.getConnection()
      connection.release()
      return { ask: async () => (await pool.query('SELECT 1 AS n'))[0], end: () => pool.end() }
    },
  },
  {
    name: 'ioredis',
    gate: redisGate,
    async connect() {
      const redis = new Redis(gates.redis.port, host, { lazyConnect: true })
      await redis.connect()
      return { ask: () => redis.get('n'), end: () => redis.disconnect() }
    },
  },
  {
    name: 'ioredis, with an event',
    gate: redisGate,
    async connect() {
      const redis = new Redis(gates.redis.port, host)
      await new Promise<unknown>((resolve, reject) => redis.once('ready', resolve).once('error', reject))
      return { ask: () => redis.get('n'), end: () => redis.disconnect() }
    },
  },
  {
    name: 'node-redis',
    gate: redisGate,
    async connect() {
      const client = createClient({ socket: { host, port: gates.redis.port } })
      client.on('error', () => undefined)
      await client.connect()
      return { ask: () => client.get('n'), end: () => client.close() }
    },
  },
  {
    name: 'node-redis, with an event',
    gate: redisGate,
    async connect() {
      const client = createClient({ socket: { host, port: gates.redis.port } })
      const ready = once(client, 'ready')
      void client.connect()
      await ready
      return { ask: () => client.get('n'), end: () => client.destroy() }
    },
  },
  {
    name: 'node-redis, a pool',
    gate: redisGate,
    async connect() {
      const pool = createClientPool({ socket: { host, port: gates.redis.port } })
      pool.on('error', () => undefined)
      await pool.connect()
      return { ask: () => pool.get('n'), end: () => pool.destroy() }
    },
  },
]

const get = async (wait: number): Promise<string> => {
  const { port } = web.address() as AddressInfo
  return await (await fetch(`http://127.0.0.1:${port}/?wait=${wait}`)).text()
}

/** Connects beside calls over HTTP: what is asked next, and by whom, depends on what comes first. */
async function connectBeside(connect: Way['connect'], wait: number): Promise<unknown> {
  const log: unknown[] = []
  const [connected] = await Promise.all([
    connect().then(async (made) => {
      log.push('connected', await made.ask(), await get(1))
      return made
    }),
    get(wait).then(async (text) => log.push(text, await get(2))),
  ])
  await connected.end()
  const connecting = connect()
  log.push(await Promise.race([connecting.then(() => 'connected'), get(wait)]), await get(3))
  const another = await connecting
  log.push(await another.ask(), await get(4))
  await another.end()
  return log
}

describe.each(ways)('$name', ({ gate, connect }) => {
  it.each([
    // So long that what is left behind in the race is not the last answer of the run.
    ['before', 0, 600],
    ['after', 120, 0],
  ])('connects %s another answer', async (_order, slow, wait) => {
    gate().slow(slow)
    await holdDriver({ gate: gate(), open: () => undefined, close: () => undefined, agent: () => connectBeside(connect, wait) })
  })
})

/** All that an agent can see of an error. What names the port is left out. */
function told(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const classes = [pg.DatabaseError, ErrorReply, AggregateError].map((each) => error instanceof each)
  const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : []
  return [error.name, error.constructor.name, classes, error.message, Object.fromEntries(Object.entries(error)), errors.map(told)]
}

const attempt = (what: () => Promise<unknown>): Promise<unknown> => what().then(() => 'connected', told)

describe('a connection that fails', () => {
  const refused = 9

  it('of pg: refused, a wrong password, no database, too late, twice', async () => {
    await holdDriver({
      gate: gates.pg,
      open: () => undefined,
      close: () => undefined,
      agent: async () => {
        const outcomes: unknown[] = [await get(1)]
        const options: readonly pg.ClientConfig[] = [
          { ...pgOptions(), port: refused },
          { ...pgOptions(), port: refused, host: 'localhost' },
          { ...pgOptions(), user: 'nobody' },
          { ...pgOptions(), database: 'nothing' },
          { ...pgOptions(), ssl: true },
        ]
        for (const each of options) outcomes.push(await attempt(() => new pg.Client(each).connect()))
        outcomes.push(await Promise.all(options.map((each) => attempt(() => new pg.Client(each).connect()))))
        const called = (each: pg.ClientConfig): Promise<unknown> =>
          new Promise((resolve) => new pg.Client(each).connect((error: Error) => resolve(told(error))))
        for (const each of options) outcomes.push(await called(each), await get(1))
        const client = new pg.Client(pgOptions())
        await client.connect()
        outcomes.push(await attempt(() => client.connect()), (await client.query('SELECT 1 AS n')).rows)
        await client.end()
        return outcomes
      },
    })
  })

  it('of pg: a time limit', async () => {
    gates.pg.slow(300)
    await holdDriver({
      gate: gates.pg,
      open: () => undefined,
      close: () => undefined,
      agent: async () => [await get(1), await attempt(() => new pg.Client({ ...pgOptions(), connectionTimeoutMillis: 60 }).connect())],
    })
  })

  it('of mysql2: refused, a wrong password, no database, a time limit', async () => {
    await holdDriver({
      gate: gates.mysql,
      open: () => undefined,
      close: () => undefined,
      agent: async () => {
        const outcomes: unknown[] = [await get(1)]
        const options: readonly mysql.ConnectionOptions[] = [
          { ...mysqlOptions(), port: refused },
          { ...mysqlOptions(), user: 'nobody', password: 'wrong' },
          { ...mysqlOptions(), database: 'nothing' },
        ]
        for (const each of options) outcomes.push(await attempt(() => mysqlPromise.createConnection(each)), await get(1))
        for (const each of options)
          outcomes.push(await new Promise((resolve) => mysql.createConnection(each).connect((error) => resolve(told(error)))))
        for (const each of options)
          outcomes.push(await new Promise((resolve) => mysql.createConnection(each).query('SELECT 1', (error) => resolve(told(error)))))
        return outcomes
      },
    })
    gates.mysql.slow(300)
    await holdDriver({
      gate: gates.mysql,
      open: () => undefined,
      close: () => undefined,
      agent: async () => [await get(1), await attempt(() => mysqlPromise.createConnection({ ...mysqlOptions(), connectTimeout: 60 }))],
    })
  })

  it('of node-redis: refused, a wrong password, no such database, again and again', async () => {
    await holdDriver({
      gate: gates.redis,
      open: () => undefined,
      close: () => undefined,
      agent: async () => {
        const outcomes: unknown[] = [await get(1)]
        const { port } = gates.redis
        const options: readonly object[] = [
          { socket: { host, port: refused, reconnectStrategy: false } },
          { socket: { host, port, reconnectStrategy: false }, username: 'nobody', password: 'wrong' },
          { socket: { host, port, reconnectStrategy: false }, username: 'nobody', password: 'wrong', RESP: 2 },
          { socket: { host, port, reconnectStrategy: false }, database: 99 },
          { socket: { host, port: refused, reconnectStrategy: (tries: number) => (tries > 2 ? new Error('no more') : 5) } },
        ]
        for (const each of options) {
          const client = createClient(each)
          client.on('error', (error) => outcomes.push(told(error)))
          outcomes.push(await attempt(() => client.connect()), await get(1))
        }
        return outcomes
      },
    })
  })

  it('of ioredis: refused, a wrong password, again and again', async () => {
    await holdDriver({
      gate: gates.redis,
      open: () => undefined,
      close: () => undefined,
      agent: async () => {
        const outcomes: unknown[] = [await get(1)]
        const { port } = gates.redis
        const options: readonly object[] = [
          { host, port: refused, lazyConnect: true, retryStrategy: () => null },
          { host, port, lazyConnect: true, username: 'nobody', password: 'wrong', retryStrategy: () => null },
          { host, port: refused, lazyConnect: true, retryStrategy: (tries: number) => (tries > 2 ? null : 5) },
        ]
        for (const each of options) {
          const client = new Redis(each)
          const ended = new Promise((resolve) => client.once('end', resolve))
          client.on('error', (error) => outcomes.push(told(error)))
          outcomes.push(await attempt(() => client.connect()), await get(1))
          await ended
          outcomes.push('ended')
        }
        const client = new Redis({ host, port: refused, maxRetriesPerRequest: 1, retryStrategy: () => 5 })
        client.on('error', () => undefined)
        outcomes.push(await attempt(() => client.get('n')))
        client.disconnect()
        return outcomes
      },
    })
  })

  it('of node-redis and ioredis, which then connect', async () => {
    await holdDriver({
      gate: gates.redis,
      open: () => undefined,
      close: () => undefined,
      agent: async () => {
        const outcomes: unknown[] = []
        let tries = 0
        const hosts = (): number => (tries++ < 2 ? refused : gates.redis.port)
        const redis: Redis = new Redis({
          host,
          port: refused,
          retryStrategy() {
            redis.options.port = hosts()
            return 5
          },
        })
        redis.on('error', (error) => outcomes.push(told(error)))
        await new Promise((resolve) => redis.once('ready', () => resolve(undefined)))
        outcomes.push(await get(1), await redis.get('n'))
        redis.disconnect()
        return outcomes
      },
    })
  })
})
