import crypto from 'node:crypto'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import QueryStream from 'pg-query-stream'
import { afterAll, beforeAll, expect, it } from 'vitest'
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

const scrypt = promisify(crypto.scrypt) as (
  password: string,
  salt: string,
  length: number,
  options: crypto.ScryptOptions,
) => Promise<Buffer>
const open = (): pg.Pool => new pg.Pool({ port: gate.port, host: '127.0.0.1', user: 'postgres', database: 'postgres' })
const close = (db: pg.Pool): Promise<void> => db.end()

/** Reads a stream of rows. @param each What is done with each row: `false` leaves the stream. */
function sumOf(rows: number, batchSize: number, each: (row: number) => unknown = () => undefined) {
  return async (db: pg.Pool): Promise<number> => {
    const client = await db.connect()
    let sum = 0
    for await (const { n } of client.query(new QueryStream(`SELECT n FROM generate_series(1, ${rows}) AS n`, [], { batchSize }))) {
      sum += n as number
      if ((await each(n as number)) === false) break
    }
    client.release()
    return sum
  }
}

it('has a step for each batch of a stream of rows, however fast it is read', async () => {
  const agent = sumOf(6, 2)
  const held = await holdDriver({ gate, open, close, agent })
  const reads = held.trace.steps.filter(({ name }) => name === 'pg SELECT')
  expect(reads.map(({ input, output }) => [input, (output as { readonly rows?: readonly unknown[] }).rows?.length])).toEqual([
    [{ sql: expect.any(String), rows: 2 }, 2],
    [{ sql: expect.any(String), rows: 2 }, 2],
    [{ sql: expect.any(String), rows: 2 }, 2],
    [{ sql: expect.any(String), rows: 2 }, undefined],
  ])
  expect((await held.replay(sumOf(6, 2, () => setTimeout(1)) as never)).divergences).toEqual([])
  const slow = await holdDriver({ gate, open, close, agent: sumOf(6, 2, () => setTimeout(5)) })
  expect((await slow.replay(agent as never)).divergences).toEqual([])
})

it('replays a stream of rows with work of its own after each batch', async () => {
  for (let time = 0; time < 5; time += 1) {
    const agent = sumOf(40, 10, (n) => (n % 10 === 0 ? scrypt('a', 'b', 16, { N: 1024 }) : undefined))
    await holdDriver({ gate, open, close, agent }, 5)
  }
})

it('replays a stream of rows that is left early, however fast it is read', async () => {
  for (let last = 1; last < 8; last += 1) {
    const fast = sumOf(8, 2, (n) => n < last)
    const slow = sumOf(8, 2, async (n) => {
      await setTimeout(2)
      return n < last
    })
    const held = await holdDriver({ gate, open, close, agent: fast })
    expect((await held.replay(slow as never)).divergences).toEqual([])
    await holdDriver({ gate, open, close, agent: slow })
  }
})

it('replays a stream of rows that is read by events, and by the methods of streams', async () => {
  const rows = (): QueryStream => new QueryStream('SELECT n FROM generate_series(1, 7) AS n', [], { batchSize: 3 })
  const agent = async (db: pg.Pool): Promise<unknown> => {
    const client = await db.connect()
    const seen: unknown[] = []
    const stream = client.query(rows()).on('data', (row) => seen.push(row))
    await once(stream, 'end')
    const mapped: unknown[] = await client
      .query(rows())
      .map(({ n }: { readonly n: number }) => setTimeout(n, n * 2))
      .toArray()
    client.release()
    return [seen, mapped]
  }
  const { trace } = await holdDriver({ gate, open, close, agent })
  expect(trace.steps.filter(({ name }) => name === 'pg SELECT')).toHaveLength(6)
})
