import { createRequire } from 'node:module'
import type { Sql } from 'postgres'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { replay } from '../../src/replay/replay.ts'
import { type Gate, startGate } from '../support/gate.ts'
import { holdDriver } from '../support/hold-driver.ts'
import { fork } from '../../src/travel/fork.ts'
import { recordRun } from '../support/record-run.ts'
import { type Service, startPostgres } from '../support/services.ts'

// As CommonJS, clients that were made before the doors were open are met as well.
const postgres = createRequire(import.meta.url)('postgres') as typeof import('postgres')

let server: Service
let gate: Gate
beforeAll(async () => {
  server = await startPostgres()
  gate = await startGate(server.port)
  const sql = open()
  await sql`CREATE TABLE orders (id text PRIMARY KEY, total numeric, placed timestamptz, lines jsonb)`
  await sql`INSERT INTO orders VALUES ('ord_1', 12.50, '2026-01-02T03:04:05Z', '[{"sku":"a"}]'), ('ord_2', 3, NULL, NULL)`
  await sql.end()
})
afterAll(async () => {
  await gate[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const open = (max = 3): Sql =>
  postgres({ port: gate.port, host: '127.0.0.1', user: 'postgres', database: 'postgres', max, onnotice: () => undefined })
const close = (sql: Sql): Promise<void> => sql.end()

it('expects queries, fragments, helpers, raw rows, several statements and errors to replay', async () => {
  const { trace } = await holdDriver({
    gate,
    open,
    close,
    agent: async (sql) => {
      const where = sql`WHERE id = ${'ord_1'}`
      const rows = await sql`SELECT * FROM ${sql('orders')} ${where}`
      const values = await sql`SELECT id, total FROM orders ORDER BY id`.values()
      const inserted = await sql`INSERT INTO orders ${sql({ id: 'ord_3', total: 7 })} RETURNING *`
      const changed = await sql`UPDATE orders SET total = 8 WHERE id IN ${sql(['ord_3', 'ord_4'])}`
      const several = await sql.unsafe('SELECT 1 AS a; SELECT 2 AS b')
      const raw = await sql`SELECT 'x' AS x`.raw()
      const failed: unknown = await sql`INSERT INTO orders VALUES ('ord_1')`.catch((error: unknown) => [
        error instanceof postgres.PostgresError,
        { ...(error as object) },
      ])
      const mapped = rows.map(({ id }) => id as unknown)
      const { columns } = await sql`SELECT id FROM orders WHERE id = ${'x'}`.describe()
      const divided: unknown = await sql`SELECT ${1}::int / 0`.catch((error: { readonly query: string; readonly parameters: unknown }) => [
        error.query,
        error.parameters,
      ])
      return [
        rows,
        rows.columns.map(({ name, type }) => [name, type]),
        rows.command,
        rows.count,
        values,
        inserted,
        changed.count,
        several,
        raw,
        failed,
        mapped,
        columns.map(({ name }) => name),
        divided,
        Array.isArray(rows),
      ]
    },
  })
  expect(trace.steps.slice(0, 3).map(({ name, input }) => [name, input])).toEqual([
    ['postgres SELECT', { sql: 'SELECT * FROM "orders" WHERE id = $1', values: ['ord_1'] }],
    ['postgres SELECT', { sql: 'SELECT id, total FROM orders ORDER BY id' }],
    ['postgres INSERT', { sql: 'INSERT INTO orders $1 RETURNING *', values: [{ id: 'ord_3', total: 7 }] }],
  ])
})

it('expects transactions, savepoints, cursors and rows one by one to replay', async () => {
  const { trace } = await holdDriver({
    gate,
    open,
    close,
    agent: async (sql) => {
      const committed = await sql.begin(async (tx) => {
        await tx`UPDATE orders SET total = total + 1 WHERE id = 'ord_1'`
        await tx
          .savepoint((point) => point`UPDATE orders SET total = 0`.then(() => Promise.reject(new Error('undo'))))
          .catch(() => undefined)
        return tx`SELECT total FROM orders WHERE id = 'ord_1'`
      })
      const undone: unknown = await sql
        .begin(async (tx) => {
          await tx`DELETE FROM orders`
          throw new RangeError('no')
        })
        .catch((error: unknown) => (error as Error).name)
      const batches: unknown[] = []
      for await (const rows of sql`SELECT n FROM generate_series(1, 25) AS n`.cursor(10)) batches.push(rows.length)
      const left: unknown[] = []
      for await (const rows of sql`SELECT n FROM generate_series(1, 25) AS n`.cursor(10)) {
        left.push(...rows)
        break
      }
      await sql`SELECT n FROM generate_series(1, 25) AS n`.cursor(
        5,
        (rows) => (batches.push(rows.length), batches.length > 5 ? sql.CLOSE : undefined),
      )
      const each: unknown[] = []
      await sql`SELECT n FROM generate_series(1, 4) AS n`.forEach((row) => each.push(row))
      return [committed, undone, batches, left, each]
    },
  })
  expect(trace.steps.map(({ name, input }) => [name, (input as { readonly transaction?: number }).transaction]).slice(0, 7)).toEqual([
    ['postgres BEGIN', 1],
    ['postgres UPDATE', 1],
    ['postgres SAVEPOINT', undefined],
    ['postgres UPDATE', undefined],
    ['postgres ROLLBACK', undefined],
    ['postgres SELECT', 1],
    ['postgres COMMIT', 1],
  ])
})

it('gives each of eight runs on one client, opened before, its own steps', async () => {
  for (const max of [10, 2, 1]) {
    const sql = open(max)
    await sql`SELECT 1`
    const agent = (run: number, client: Sql) => async () => {
      const one = await client`SELECT ${run}::int AS run, 1 AS n`
      const several = await Promise.all([2, 3, 4].map((n) => client`SELECT ${run}::int AS run, ${n}::int AS n`))
      return [one, several]
    }
    const runs = await Promise.all(Array.from({ length: 8 }, (_, run) => recordRun(agent(run, sql))))
    await sql.end()
    gate.shut()
    for (const [run, { trace, output, text }] of runs.entries()) {
      expect(trace.steps.map(({ input }) => (input as { readonly values: readonly unknown[] }).values[0])).toEqual([run, run, run, run])
      expect(text).not.toContain('unrecorded-contact')
      const fresh = open(max)
      const replayed = await replay(trace, agent(run, fresh))
      expect([replayed.divergences, replayed.outcome]).toEqual([[], { status: 'returned', output }])
      await fresh.end()
    }
    expect(gate.refused).toBe(0)
    gate.open()
  }
})

it('goes red at the statement or value that changed', async () => {
  const agent = (id: string, order: string) => async (sql: Sql) => {
    await sql`SELECT * FROM orders WHERE id = ${id}`
    await sql.unsafe(`SELECT id FROM orders ORDER BY id ${order}`)
  }
  const held = await holdDriver({ gate, open, close, agent: agent('ord_1', 'ASC') })
  expect((await held.replay(agent('ord_2', 'ASC') as never)).divergences).toMatchObject([
    { cause: 'input', step: 1, name: 'postgres SELECT' },
  ])
  expect((await held.replay(agent('ord_1', 'DESC') as never)).divergences).toMatchObject([
    { cause: 'input', step: 2, name: 'postgres SELECT' },
  ])
})

it.each([false, true])('answers a fork from a clone, rolled back: %s', async (rollback) => {
  const agent = async (sql: Sql): Promise<unknown> => {
    const [order] = await sql`SELECT total FROM orders WHERE id = ${'ord_1'}`
    const raised = await sql.begin((tx) => tx`UPDATE orders SET total = total + 1 WHERE id = 'ord_1' RETURNING total`)
    const undone = await sql.begin((tx) => tx`UPDATE orders SET total = 0`.then(() => tx`SELECT nothing`)).catch(() => 'undone')
    const [after] = await sql`SELECT total FROM orders WHERE id = ${'ord_1'}`
    const failed: unknown = await sql`SELECT nothing`.catch((error: unknown) => error instanceof postgres.PostgresError && error.code)
    const [typed] =
      await sql`SELECT ${sql.json({ n: 1 })} AS json, ${sql.typed('2' as never, 20)} AS big, ${sql.array(['a'])}::text[] AS list`
    return [order, [...raised], undone, after, failed, typed]
  }
  const real = open()
  await real`CREATE DATABASE clone`
  const url = `postgres://postgres@127.0.0.1:${server.port}/clone`
  const clone = postgres(url)
  await clone`CREATE TABLE orders (id text, total numeric)`
  await clone`INSERT INTO orders VALUES ('ord_1', 7)`
  const { trace } = await recordRun(() => agent(real))
  gate.shut()
  const fresh = open()
  const run = await fork(trace, () => agent(fresh), {
    at: 1,
    sandbox: { postgres: rollback ? { url, rollback } : url },
    route: { postgres: 'run' },
  })
  await fresh.end()
  gate.open()
  expect(run.outcome).toEqual({
    status: 'returned',
    output: [{ total: '7' }, [{ total: '8' }], 'undone', { total: '8' }, '42703', { json: { n: 1 }, big: '2', list: ['a'] }],
  })
  expect([...(await clone`SELECT total FROM orders`)]).toEqual([{ total: rollback ? '7' : '8' }])
  await clone.end()
  await real`DROP DATABASE clone`
  await real.end()
})
