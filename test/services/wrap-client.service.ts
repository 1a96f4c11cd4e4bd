import { Redis } from 'ioredis'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { replay } from '../../src/replay/replay.ts'
import { wrapClient } from '../../src/run/wrap-client/wrap-client.ts'
import { recordRun } from '../support/record-run.ts'
import { type Service, startPostgres, startRedis } from '../support/services.ts'

let postgres: Service
let redis: Service
beforeAll(async () => {
  postgres = await startPostgres()
  redis = await startRedis()
})
afterAll(async () => {
  await postgres[Symbol.asyncDispose]()
  await redis[Symbol.asyncDispose]()
})

/**
 * Records an agent against the real server, replays it with a client that cannot reach any, and expects it to come to the same.
 *
 * @returns The steps by name.
 */
async function recordAndReplay<Client extends object>(
  real: Client,
  nowhere: Client,
  agent: (client: Client) => Promise<unknown>,
): Promise<readonly string[]> {
  const wrapped = wrapClient('db', real)
  const { trace, output } = await recordRun(() => agent(wrapped))
  const offline = wrapClient('db', nowhere)
  for (let times = 0; times < 3; times += 1) {
    const run = await replay(trace, () => agent(offline))
    expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output }])
  }
  // What the driver does in the body of such a step is a step of the body.
  return trace.steps.filter(({ owner }) => owner === 0).map(({ name }) => name)
}

const pool = (): pg.Pool => new pg.Pool({ port: postgres.port, host: '127.0.0.1', user: 'postgres', database: 'postgres', max: 3 })
const noPool = (): pg.Pool => new pg.Pool({ port: 1, host: '127.0.0.1' })

it('replays pg: pool.query, its rows, fields and types', async () => {
  const real = pool()
  await real.query('CREATE TABLE orders (id text PRIMARY KEY, total numeric, placed timestamptz, lines jsonb)')
  await real.query("INSERT INTO orders VALUES ('ord_1', 12.50, '2026-01-02T03:04:05Z', '[{\"sku\":\"a\"}]'), ('ord_2', 3, NULL, NULL)")
  const names = await recordAndReplay(real, noPool(), async (db) => {
    const { rows, rowCount, command, fields } = await db.query('SELECT * FROM orders WHERE id = $1', ['ord_1'])
    const row = rows[0] as { readonly total: string; readonly placed: Date; readonly lines: { readonly sku: string }[] }
    const others = await db.query<{ n: string }>('SELECT count(*) AS n FROM orders')
    return [row.total, row.placed.getTime(), row.lines[0]?.sku, rowCount, command, fields.map(({ name }) => name), others.rows[0]?.n]
  })
  expect(names).toEqual(['db.query', 'db.query'])
  await real.end()
})

it('replays pg: a transaction over a client of the pool, and an error with its code', async () => {
  const real = pool()
  const names = await recordAndReplay(real, noPool(), async (db) => {
    const client = await db.connect()
    try {
      await client.query('BEGIN')
      await client.query('CREATE TEMP TABLE refunds (id text PRIMARY KEY)')
      await client.query("INSERT INTO refunds VALUES ('ref_1')")
      await client.query("INSERT INTO refunds VALUES ('ref_1')")
      return 'twice'
    } catch (error) {
      await client.query('ROLLBACK')
      return [(error as { code?: string }).code, (error as { constraint?: string }).constraint, (error as Error).message]
    } finally {
      client.release()
    }
  })
  expect(names.slice(0, 2)).toEqual(['db.connect', 'db.connect.query'])
  await real.end()
})

it('goes red when a different query is sent to pg', async () => {
  const real = pool()
  const wrapped = wrapClient('db', real)
  const agent = (sql: string) => async () => (await wrapped.query(sql)).rowCount
  const { trace } = await recordRun(agent('SELECT 1'))
  expect((await replay(trace, agent('SELECT 1 WHERE true'))).divergences).toMatchObject([{ cause: 'input', step: 1, name: 'db.query' }])
  await real.end()
})

it('replays ioredis: commands, a pipeline, a transaction', async () => {
  const real = new Redis(redis.port, '127.0.0.1')
  const nowhere = new Redis({ lazyConnect: true, port: 1, retryStrategy: () => null })
  const names = await recordAndReplay(real, nowhere, async (client) => {
    await client.set('order:1', 'packed')
    const found = await client.get('order:1')
    const piped = await client.pipeline().incr('visits').hset('cart', { tea: 2, cups: '4' }).hgetall('cart').exec()
    const multi = await client.multi().incr('visits').get('order:1').exec()
    const failed = await client.lpush('order:1', 'x').catch((error: Error) => [error.name, error.message])
    return [found, piped, multi, failed]
  })
  expect(names.slice(0, 4)).toEqual(['db.set', 'db.get', 'db.pipeline', 'db.pipeline.incr'])
  real.disconnect()
})
