import { Redis } from 'ioredis'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { expect, it } from 'vitest'
import { compareRuns } from '../../src/replay.ts'
import { recordRun } from '../support/record-run.ts'
import { startGate } from '../support/gate.ts'
import { holdDriver } from '../support/hold-driver.ts'
import { type Given, type LimitedCase, named, ofPostgres, useServers } from '../support/limited-drivers.ts'
import type { Service } from '../support/services.ts'

const servers = useServers()

/** Records a call that is given up after 30 milliseconds, and replays it with other limits. */
async function expectGone<Client>({ port }: Service, { open, ask, close }: LimitedCase<Client>): Promise<void> {
  await using gate = await startGate(port)
  const given: Given = { limit: 30 }
  const agent = (client: Client): Promise<unknown> => ask(client, given).catch((error: unknown) => (error as Error).message)
  const held = await holdDriver({ gate, open: () => open(gate.port, given), close, agent }, 1)
  const causes: unknown[] = []
  for (const limit of [30, 20, 20_000, undefined]) {
    given.limit = limit
    const { divergences } = await held.replay()
    causes.push(divergences.map(({ cause, step, received }) => [cause, step, received]))
  }
  expect(causes).toEqual([[], [], [], [['time-limit', expect.any(Number), { never: 'given up' }]]])
}

const sleep = 'SELECT pg_sleep(0.1)'

it.each(['query_timeout', 'statement_timeout'])('finds that %s of pg is gone, which had fired', async (name) => {
  await expectGone(servers().postgres, {
    open: (port, given) => new pg.Pool({ ...ofPostgres, port, ...named(name, given) }),
    ask: async (pool) => (await pool.query(sleep)).rowCount,
    close: (pool) => pool.end(),
  })
})

it('finds that timeout of mysql2 is gone, which had fired', async () => {
  await expectGone(servers().mariadb, {
    open: (port) => mysql.createPool({ host: '127.0.0.1', user: 'agent', database: 'test', port }),
    ask: async (pool, given) => (await pool.query({ sql: 'SELECT SLEEP(0.1)', ...named('timeout', given) }))[0],
    close: (pool) => pool.end(),
  })
})

it('finds that commandTimeout of ioredis is gone, which had fired', async () => {
  await expectGone(servers().redis, {
    open: (port, given) => new Redis(port, '127.0.0.1', named('commandTimeout', given)),
    ask: (client) => client.blpop('no-such-list', 0.1),
    close: (client) => client.disconnect(),
  })
})

it('says nothing of a limit that is gone where the call failed before it, or is compared with a recorded one', async () => {
  await using gate = await startGate(servers().postgres.port)
  const given: Given = { limit: 5000 }
  const ask = async (pool: pg.Pool, sql: string): Promise<unknown> =>
    pool.query({ text: sql, ...named('query_timeout', given) }).catch((error: unknown) => (error as Error).message)
  const open = (): pg.Pool => new pg.Pool({ ...ofPostgres, port: gate.port })
  const close = (pool: pg.Pool): Promise<void> => pool.end()
  const failed = await holdDriver({ gate, open, close, agent: (pool) => ask(pool, 'SELECT nothing') }, 1)
  given.limit = undefined
  expect((await failed.replay()).divergences).toEqual([])

  const pool = open()
  const agent = async (limit: number | undefined): Promise<unknown> => {
    given.limit = limit
    return ask(pool, sleep)
  }
  const [fired, again, gone] = [await recordRun(() => agent(30)), await recordRun(() => agent(30)), await recordRun(() => agent(undefined))]
  await close(pool)
  expect((await compareRuns(fired.trace, again.trace)).divergences).toEqual([])
  expect((await compareRuns(fired.trace, gone.trace)).divergences.map(({ cause }) => cause)).not.toContain('time-limit')
})
