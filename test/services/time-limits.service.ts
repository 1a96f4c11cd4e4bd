import { Redis } from 'ioredis'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { expect, it } from 'vitest'
import { startGate } from '../support/gate.ts'
import { holdDriver } from '../support/hold-driver.ts'
import { type Given, type LimitedCase, named, ofPostgres, useServers } from '../support/limited-drivers.ts'
import type { Service } from '../support/services.ts'

const servers = useServers()

const seconds = 0.2

/** Records the query with a limit of 20 seconds, and replays it with others. */
async function expectCompared<Client>({ port }: Service, { open, ask, close }: LimitedCase<Client>): Promise<void> {
  await using gate = await startGate(port)
  const given: Given = { limit: 20_000 }
  const held = await holdDriver({ gate, open: () => open(gate.port, given), close, agent: (client) => ask(client, given) }, 1)
  const causes: unknown[] = []
  for (const limit of [20_000, 60_000, undefined, 30]) {
    given.limit = limit
    const { divergences } = await held.replay()
    causes.push(divergences.map(({ cause, received }) => [cause, received]))
  }
  expect(causes).toEqual([[], [], [], [['time-limit', { limit: 30, after: 30 }]]])
}

const sleep = `SELECT pg_sleep(${seconds})`

it.each(['query_timeout', 'statement_timeout'])('compares %s of a pool of pg', async (name) => {
  await expectCompared(servers().postgres, {
    open: (port, given) => new pg.Pool({ ...ofPostgres, port, ...named(name, given) }),
    ask: async (pool) => (await pool.query(sleep)).rowCount,
    close: (pool) => pool.end(),
  })
})

it('compares query_timeout of a query of pg', async () => {
  await expectCompared(servers().postgres, {
    open: (port) => new pg.Pool({ ...ofPostgres, port }),
    ask: async (pool, given) => (await pool.query({ text: sleep, ...named('query_timeout', given) })).rowCount,
    close: (pool) => pool.end(),
  })
})

it('compares query_timeout of a client of pg', async () => {
  await expectCompared(servers().postgres, {
    open: async (port, given) => {
      const client = new pg.Client({ ...ofPostgres, port, ...named('query_timeout', given) })
      await client.connect()
      return client
    },
    ask: async (client) => (await client.query(sleep)).rowCount,
    close: (client) => client.end(),
  })
})

it.each(['query', 'execute'] as const)('compares timeout of %s of mysql2, of a pool and of a connection', async (method) => {
  const address = { host: '127.0.0.1', user: 'agent', database: 'test' }
  const ask = async (db: Pick<mysql.Pool, 'query' | 'execute'>, given: Given): Promise<unknown> => {
    const options = { sql: `SELECT SLEEP(${seconds})`, ...named('timeout', given) }
    const [rows] = method === 'query' ? await db.query(options) : await db.execute(options)
    return rows
  }
  await expectCompared(servers().mariadb, { open: (port) => mysql.createPool({ ...address, port }), ask, close: (pool) => pool.end() })
  await expectCompared(servers().mariadb, { open: (port) => mysql.createConnection({ ...address, port }), ask, close: (db) => db.end() })
})

it('compares commandTimeout of ioredis', async () => {
  await expectCompared(servers().redis, {
    open: (port, given) => new Redis(port, '127.0.0.1', named('commandTimeout', given)),
    ask: (client) => client.blpop('no-such-list', seconds),
    close: (client) => client.quit(),
  })
})

it('takes a commandTimeout for a limit as ioredis does: a number', async () => {
  await using gate = await startGate(servers().redis.port)
  let given: object = {}
  let query = ''
  const held = await holdDriver({
    gate,
    open: () => new Redis(`redis://127.0.0.1:${gate.port}${query}`, given),
    close: (client) => client.quit(),
    agent: (client) => client.blpop('no-such-list', seconds),
  })
  query = '?commandTimeout=30'
  expect((await held.replay()).divergences).toEqual([])
  ;[query, given] = ['', { commandTimeout: 0 }]
  expect((await held.replay()).divergences).toMatchObject([{ cause: 'time-limit', received: { limit: 1 } }])
})

/** Replays a call with a limit in a process that is too busy for it. */
async function expectBusy<Client>({ port }: Service, { open, ask, close }: LimitedCase<Client>): Promise<void> {
  await using gate = await startGate(port)
  const given: Given = { limit: 50 }
  let isReplayed = false
  const agent = async (client: Client): Promise<unknown> => {
    const before = await ask(client, given)
    const asked = ask(client, given)
    if (isReplayed) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 80)
    return [before, await asked]
  }
  const held = await holdDriver({ gate, open: () => open(gate.port, given), close, agent }, 1)
  isReplayed = true
  for (let time = 0; time < 3; time += 1) expect((await held.replay()).divergences).toEqual([])
}

it.each(['a client', 'a query'])('keeps no limit of pg by the clock of the machine that replays: of %s', async (holder) => {
  await expectBusy(servers().postgres, {
    open: async (port, given) => {
      const client = new pg.Client({ ...ofPostgres, port, ...(holder === 'a client' && named('query_timeout', given)) })
      await client.connect()
      return client
    },
    ask: async (client, given) =>
      (await client.query({ text: 'SELECT 1 AS n', ...(holder === 'a query' && named('query_timeout', given)) })).rows,
    close: (client) => client.end(),
  })
})

it('keeps no limit of mysql2 by the clock of the machine that replays', async () => {
  await expectBusy(servers().mariadb, {
    open: (port) => mysql.createConnection({ host: '127.0.0.1', user: 'agent', database: 'test', port }),
    ask: async (db, given) => (await db.query({ sql: 'SELECT 1 AS n', ...named('timeout', given) }))[0],
    close: (db) => db.end(),
  })
})

it('keeps no limit of ioredis by the clock of the machine that replays', async () => {
  await expectBusy(servers().redis, {
    open: (port, given) => new Redis(port, '127.0.0.1', named('commandTimeout', given)),
    ask: (client) => client.get('none'),
    close: (client) => client.disconnect(),
  })
})
