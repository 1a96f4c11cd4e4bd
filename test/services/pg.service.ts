import { EventEmitter } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import Cursor from 'pg-cursor'
import QueryStream from 'pg-query-stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fork } from '../../src/travel/fork.ts'
import { type Gate, startGate } from '../support/gate.ts'
import { holdDriver } from '../support/hold-driver.ts'
import { replay } from '../../src/replay/replay.ts'
import { findSecrets, plantSecrets } from '../support/plant-secrets.ts'
import { recordRun } from '../support/record-run.ts'
import { type Service, startPostgres } from '../support/services.ts'

let server: Service
let gate: Gate
beforeAll(async () => {
  server = await startPostgres()
  gate = await startGate(server.port)
  const setup = pool()
  await setup.query('CREATE TABLE orders (id text PRIMARY KEY, total numeric, placed timestamptz, lines jsonb)')
  await setup.query("INSERT INTO orders VALUES ('ord_1', 12.50, '2026-01-02T03:04:05Z', '[{\"sku\":\"a\"}]'), ('ord_2', 3, NULL, NULL)")
  await setup.end()
})
afterAll(async () => {
  await gate[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const pool = (max = 3): pg.Pool => new pg.Pool({ port: gate.port, host: '127.0.0.1', user: 'postgres', database: 'postgres', max })
const close = (db: pg.Pool): Promise<void> => db.end()

it('replays a query: rows, fields and types', async () => {
  const { trace } = await holdDriver({
    gate,
    open: pool,
    close,
    agent: async (db) => {
      const { rows, rowCount, command, fields } = await db.query('SELECT * FROM orders WHERE id = $1', ['ord_1'])
      return [rows, rowCount, command, fields.map(({ name, dataTypeID }) => [name, dataTypeID])]
    },
  })
  expect(trace.steps.map(({ name, input, effect }) => [name, input, effect])).toEqual([
    ['pg SELECT', { sql: 'SELECT * FROM orders WHERE id = $1', values: ['ord_1'] }, 'read'],
  ])
})

it('keeps what a result says that the agent returns, and nothing that the driver needs for itself', async () => {
  const { trace, text } = await holdDriver({
    gate,
    open: pool,
    close,
    agent: (db) => db.query("SELECT id, 1 AS n, '{1,2}'::int[] AS list FROM orders WHERE id = $1", ['ord_1']),
  })
  expect(text).not.toContain('unkept-value')
  expect(trace.end).toMatchObject({ output: { command: 'SELECT', rowCount: 1, oid: null, rows: [{ id: 'ord_1', n: 1, list: [1, 2] }] } })
  const { output } = trace.end as unknown as { readonly output: { readonly fields: readonly { readonly name: string }[] } }
  expect(Object.keys(output)).toEqual(['command', 'rowCount', 'oid', 'rows', 'fields'])
  expect(output.fields.map(({ name }) => name)).toEqual(['id', 'n', 'list'])
})

it('replays a transaction that fails, with the error of the driver', async () => {
  const { trace } = await holdDriver({
    gate,
    open: pool,
    close,
    agent: async (db) => {
      const client = await db.connect()
      try {
        await client.query('BEGIN')
        await client.query("INSERT INTO orders VALUES ('ord_1')")
        return 'twice'
      } catch (error) {
        await client.query('ROLLBACK')
        return error instanceof pg.DatabaseError && Object.entries(error)
      } finally {
        client.release()
      }
    },
  })
  expect(trace.steps.map(({ name, input, effect }) => [name, input, effect])).toEqual([
    ['pg connect', [], 'read'],
    ['pg BEGIN', { sql: 'BEGIN', transaction: 1 }, 'read'],
    ['pg INSERT', { sql: "INSERT INTO orders VALUES ('ord_1')", transaction: 1 }, 'write'],
    ['pg ROLLBACK', { sql: 'ROLLBACK', transaction: 1 }, 'read'],
  ])
})

it('replays cursors and streams of rows, left early as well', async () => {
  const { trace } = await holdDriver({
    gate,
    open: pool,
    close,
    agent: async (db) => {
      const client = await db.connect()
      const cursor = client.query(new Cursor('SELECT n FROM generate_series(1, 25) AS n WHERE n > $1', [2]))
      const read = [await cursor.read(10), await cursor.read(10), await cursor.read(10), await cursor.read(10)]
      const left = client.query(new Cursor('SELECT n FROM generate_series(1, 25) AS n'))
      const begun: unknown = await left.read(3)
      await left.close()
      const streamed: unknown[] = []
      for await (const row of client.query(new QueryStream('SELECT n FROM generate_series(1, 250) AS n', [], { batchSize: 100 })))
        streamed.push(row)
      for await (const row of client.query(new QueryStream('SELECT n FROM generate_series(1, 250) AS n'))) {
        streamed.push(row)
        if (streamed.length > 255) break
      }
      const failed: unknown = await client
        .query(new Cursor('SELECT nothing'))
        .read(1)
        .catch((error: unknown) => [error instanceof pg.DatabaseError, (error as pg.DatabaseError).code])
      client.release()
      return [read, begun, streamed.length, failed]
    },
  })
  expect(trace.steps.filter(({ input }) => JSON.stringify(input).includes('"rows":10}'))).toHaveLength(3)
})

it('replays statements that are prepared, several at once, rows as arrays, events, callbacks and empty ones', async () => {
  await holdDriver({
    gate,
    open: pool,
    close,
    agent: async (db) => {
      const named = { name: 'by-id', text: 'SELECT total FROM orders WHERE id = $1' }
      const client = await db.connect()
      const twice = [await client.query({ ...named, values: ['ord_1'] }), await client.query({ ...named, values: ['ord_2'] })].map(
        ({ rows }) => rows,
      )
      const several = (await client.query('SELECT 1 AS a; SELECT 2 AS b, 3 AS c; SET LOCAL work_mem = 1024')) as unknown as pg.QueryResult[]
      const arrays = await client.query({ text: 'SELECT id, lines, placed, ARRAY[1, 2] FROM orders ORDER BY id', rowMode: 'array' })
      const events = await new Promise<unknown[]>((resolve) => {
        const seen: unknown[] = []
        const query = client.query(new pg.Query('SELECT n FROM generate_series(1, 3) AS n'))
        query.on('row', (row) => seen.push(row))
        query.on('end', () => resolve(seen))
      })
      const empty = await client.query('')
      const called = await new Promise((resolve) =>
        client.query('SELECT $1::bytea AS b', [Buffer.from([0, 255])], (_error, result) => resolve(result.rows)),
      )
      const bad = await client.query({ name: 'by-id', text: 'SELECT 2' }).catch((error: Error) => error.message)
      const unsent = await client
        .query('SELECT $1', [
          {
            toPostgres: () => {
              throw new RangeError('no')
            },
          },
        ])
        .catch((error: Error) => [error.name, error.message])
      client.release()
      return [twice, several.map(({ rows, command }) => [rows, command]), arrays.rows, events, empty.rows, called, bad, unsent]
    },
  })
})

it('gives each of eight runs on one pool, opened before, its own steps', async () => {
  for (const max of [10, 2, 1]) {
    const db = pool(max)
    await db.query('SELECT 1')
    const agent = (run: number) => async (client: pg.Pool) => {
      const one = await client.query('SELECT $1::int AS run, 1 AS n', [run])
      const several = await Promise.all([2, 3, 4].map((n) => client.query(`SELECT $1::int AS run, ${n} AS n`, [run])))
      return [one.rows, several.map(({ rows }) => rows)]
    }
    const runs = await Promise.all(Array.from({ length: 8 }, (_, run) => recordRun(() => agent(run)(db))))
    await db.end()
    gate.shut()
    for (const [run, { trace, output, text }] of runs.entries()) {
      expect(trace.steps.map(({ input }) => (input as { readonly values: unknown }).values)).toEqual([[run], [run], [run], [run]])
      expect(text).not.toContain('unrecorded-contact')
      const fresh = pool(max)
      const replayed = await replay(trace, () => agent(run)(fresh))
      expect([replayed.divergences, replayed.outcome]).toEqual([[], { status: 'returned', output }])
      await fresh.end()
    }
    expect(gate.refused).toBe(0)
    gate.open()
  }
})

it('goes red at the statement that changed, and flags a write that is made twice', async () => {
  const agent =
    (sql: string, times = 1) =>
    async (db: pg.Pool) => {
      await db.query('SELECT 1')
      for (let time = 0; time < times; time += 1) await db.query(sql, ['ord_9'])
    }
  const held = await holdDriver({ gate, open: pool, close, agent: agent('DELETE FROM orders WHERE id = $1', 2) })
  expect(held.text).toContain('repeated-side-effect')
  expect((await held.replay(agent('DELETE FROM orders WHERE id <> $1', 2) as never)).divergences).toMatchObject([
    { cause: 'input', step: 2, name: 'pg DELETE' },
  ])
  expect((await held.replay(agent('DELETE FROM orders WHERE id = $1', 3) as never)).divergences).toMatchObject([
    { cause: 'unexpected-call', name: 'pg DELETE' },
  ])
})

it('goes red where a statement leaves its transaction', async () => {
  const agent = (isInside: boolean) => async (db: pg.Pool) => {
    const client = await db.connect()
    await client.query('BEGIN')
    await (isInside ? client : db).query("UPDATE orders SET total = 4 WHERE id = 'ord_2'")
    await client.query('COMMIT')
    client.release()
  }
  const held = await holdDriver({ gate, open: pool, close, agent: agent(true) })
  expect((await held.replay(agent(false) as never)).divergences).toMatchObject([{ cause: 'input', step: 3 }])
})

it('replays what goes wrong: no server, a wrong password, a lost connection, a time limit, a closed client', async () => {
  const nobody = await startGate(1)
  nobody.shut()
  const { trace } = await holdDriver({
    gate,
    open: () => undefined,
    close: () => undefined,
    agent: async () => {
      const outcomes: unknown[] = []
      const attempt = async (what: () => Promise<unknown>): Promise<void> => {
        outcomes.push(
          await what().catch((error: unknown) => [
            (error as Error).name,
            (error as Error).message,
            (error as { readonly code?: string }).code,
          ]),
        )
      }
      const unreachable = { port: 1, host: '127.0.0.1', user: 'postgres', database: 'postgres' }
      await attempt(() => new pg.Client(unreachable).connect())
      await attempt(() => new pg.Pool(unreachable).query('SELECT 1'))
      await attempt(() => new pg.Client({ ...unreachable, port: gate.port, database: 'nothing' }).connect())
      const client = new pg.Client({ ...unreachable, port: gate.port })
      client.on('error', (error) => outcomes.push(error.message))
      await client.connect()
      await attempt(() => client.query('SELECT pg_terminate_backend(pg_backend_pid())'))
      await attempt(() => client.query('SELECT 1'))
      const slow = new pg.Client({ ...unreachable, port: gate.port, query_timeout: 50 })
      await slow.connect()
      await attempt(() => slow.query('SELECT pg_sleep(0.5)'))
      await slow.end()
      await attempt(() => slow.query('SELECT 1'))
      return outcomes
    },
  })
  expect(trace.steps.map(({ name, error }) => [name, error?.code])).toEqual([
    ['pg SELECT', 'ECONNREFUSED'],
    ['pg SELECT', '57P01'],
    ['pg SELECT', undefined],
    ['pg SELECT', undefined],
  ])
})

it('replays queries that are not waited for, large answers, and what a pool sets up', async () => {
  await holdDriver({
    gate,
    open() {
      const db = pool()
      db.on('connect', (client) => void client.query("SET application_name = 'agent'"))
      return db
    },
    close,
    agent: async (db) => {
      const dropped = db.query('SELECT 1 AS one').catch(() => undefined)
      const rows = (await db.query<{ n: number; text: string }>("SELECT n, repeat('é', 20) AS text FROM generate_series(1, 10000) AS n"))
        .rows
      const client = await db.connect()
      const [a, b, c] = await Promise.all([
        client.query('SELECT 1 AS a'),
        client.query('SELECT 2 AS b'),
        client.query('SELECT $1::jsonb AS c', [{ deep: [null, '€'] }]),
      ])
      client.release()
      await dropped
      return [rows.length, rows.at(-1), a.rows, b.rows, c.rows]
    },
  })
})

it('keeps no secret of statements, values, rows and errors', async () => {
  const secrets = plantSecrets('pg', 100)
  const db = pool()
  const { text } = await recordRun(async () => {
    for (const secret of secrets.slice(0, 50)) await db.query('SELECT $1::text AS value', [secret])
    for (const secret of secrets.slice(50, 90)) await db.query(`SELECT '${secret}' AS value`)
    for (const secret of secrets.slice(90)) await db.query('SELECT $1::int', [secret]).catch(() => undefined)
  })
  await db.end()
  expect(text).toContain('"kind":"stand-in"')
  expect(findSecrets(text, secrets)).toEqual([])
})

it('notes what it does not answer', async () => {
  const db = pool()
  const client = await db.connect()
  const { text } = await recordRun(async () => {
    await client.query('LISTEN orders')
    await new Promise((resolve) => {
      client.once('notification', resolve)
      void client.query("NOTIFY orders, 'ord_1'")
    })
  })
  client.release()
  await db.end()
  expect(text).toContain('pg notifications')
})

it('goes red where a statement goes to another database, or to another client', async () => {
  const setup = pool()
  await setup.query('CREATE DATABASE second')
  await setup.end()
  const agent = (isSwapped: boolean) => async (db: pg.Pool) => {
    const second = new pg.Pool({ port: gate.port, host: '127.0.0.1', user: 'postgres', database: 'second' })
    const [one, two] = [1, 2].map(() => new pg.Client({ port: gate.port, host: '127.0.0.1', user: 'postgres', database: 'postgres' }))
    await Promise.all([one?.connect(), two?.connect()])
    await db.query('SELECT 1')
    await second.query('SELECT 2')
    await (isSwapped ? second : db).query('SELECT 3')
    await one?.query('SELECT 4')
    await (isSwapped ? two : one)?.query('SELECT 5')
    await Promise.all([one?.end(), two?.end(), second.end()])
  }
  const { trace, replay: again } = await holdDriver({ gate, open: pool, close, agent: agent(false) })
  expect(trace.steps.map(({ input }) => (input as { readonly database?: number }).database)).toEqual([
    undefined,
    2,
    undefined,
    undefined,
    undefined,
  ])
  expect((await again(agent(true) as never)).divergences).toMatchObject([{ cause: 'input', step: 3 }])
})

it('replays a run that found a connection open, as one that opens it', async () => {
  let shared: pg.Client | undefined
  const agent = async () => {
    if (shared === undefined) {
      shared = new pg.Client({ port: gate.port, host: '127.0.0.1', user: 'postgres', database: 'postgres' })
      await shared.connect()
      // As Knex does.
      await shared.query('select version();')
    }
    return (await shared.query('SELECT 7 AS n')).rows
  }
  const cold = await recordRun(agent)
  const warm = await recordRun(agent)
  await shared?.end()
  gate.shut()
  for (const { trace, output } of [cold, warm]) {
    shared = undefined
    for (let time = 0; time < 2; time += 1) {
      const run = await replay(trace, agent)
      expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output }])
    }
  }
  gate.open()
  expect(cold.trace.steps).toHaveLength(1)
})

describe('a fork whose sandbox is a database', () => {
  const agent = async (db: pg.Pool): Promise<unknown> => {
    const { rows } = await db.query('SELECT total FROM orders WHERE id = $1', ['ord_1'])
    const client = await db.connect()
    await client.query('BEGIN')
    await client.query('UPDATE orders SET total = total + 1 WHERE id = $1', ['ord_1'])
    const failed: unknown = await client.query('SELECT nothing').catch((error: unknown) => (error as pg.DatabaseError).code)
    await client.query('ROLLBACK')
    client.release()
    const { rowCount } = await db.query('UPDATE orders SET total = 100 WHERE id = $1', ['ord_1'])
    const after = await db.query('SELECT total FROM orders WHERE id = $1', ['ord_1'])
    const atOnce = await Promise.allSettled(
      ['SELECT nothing', 'UPDATE orders SET total = 101', 'SELECT nothing', 'SELECT 1'].map((sql) => db.query(sql)),
    )
    return [rows, failed, rowCount, after.rows, atOnce.map(({ status }) => status)]
  }

  it.each([false, true])('answers from a clone, rolled back: %s', async (rollback) => {
    const real = pool()
    await real.query('CREATE DATABASE clone')
    const clone = new pg.Client({ port: server.port, host: '127.0.0.1', user: 'postgres', database: 'clone' })
    await clone.connect()
    await clone.query("CREATE TABLE orders (id text, total numeric); INSERT INTO orders VALUES ('ord_1', 7)")
    const { trace } = await recordRun(() => agent(real))
    await real.query("UPDATE orders SET total = 12.5 WHERE id = 'ord_1'")
    const url = `postgres://postgres@127.0.0.1:${server.port}/clone`
    gate.shut()
    const fresh = pool()
    const run = await fork(trace, () => agent(fresh), { at: 1, sandbox: { pg: rollback ? { url, rollback } : url }, route: { pg: 'run' } })
    await fresh.end()
    gate.open()
    const atOnce = ['rejected', 'fulfilled', 'rejected', 'fulfilled']
    expect(run.outcome).toEqual({ status: 'returned', output: [[{ total: '7' }], '42703', 1, [{ total: '100' }], atOnce] })
    expect((await clone.query('SELECT total FROM orders')).rows).toEqual([{ total: rollback ? '7' : '101' }])
    expect((await real.query("SELECT total FROM orders WHERE id = 'ord_1'")).rows).toEqual([{ total: '12.5' }])
    // What the sandbox gave is in the fork's trace.
    const replayed = await replay(run.toTrace(), () => agent(pool()))
    expect([replayed.divergences, replayed.outcome]).toEqual([[], run.outcome])
    await clone.end()
    await real.query('DROP DATABASE clone')
    await real.end()
  })
})

it('continues a transaction in the sandbox when a fork starts inside it', async () => {
  const real = pool()
  await real.query('CREATE DATABASE clone')
  const clone = new pg.Client({ port: server.port, host: '127.0.0.1', user: 'postgres', database: 'clone' })
  await clone.connect()
  await clone.query("CREATE TABLE orders (id text, total numeric); INSERT INTO orders VALUES ('ord_1', 7)")
  const agentThat =
    (total: number) =>
    async (db: pg.Pool): Promise<unknown> => {
      const client = await db.connect()
      await client.query('BEGIN')
      await client.query('UPDATE orders SET total = $1', [total])
      const { command } = await client.query('COMMIT')
      client.release()
      return command
    }
  const { trace } = await recordRun(() => agentThat(12.5)(real))
  gate.shut()
  const fresh = pool()
  const run = await fork(trace, () => agentThat(30)(fresh), {
    at: 2,
    route: { pg: ['recorded', 'sandbox'] },
    sandbox: { pg: `postgres://postgres@127.0.0.1:${server.port}/clone` },
  })
  await fresh.end()
  gate.open()
  expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output: 'COMMIT' }])
  expect(run.steps.map(({ route }) => route)).toEqual([undefined, 'recorded', 'sandbox', 'sandbox'])
  expect((await clone.query('SELECT total FROM orders')).rows).toEqual([{ total: '30' }])
  await clone.end()
  await real.query('DROP DATABASE clone')
  await real.end()
})

it('replays a query that takes too long, told by a callback, and a pipeline', async () => {
  await holdDriver({
    gate,
    open: pool,
    close,
    agent: async (db) => {
      const client = await db.connect()
      const slow = { text: 'SELECT pg_sleep(0.2)', query_timeout: 50 }
      const called = await new Promise((resolve) =>
        client.query(slow, (error: Error) => {
          client.query('SELECT 2 AS n', (_late, { rows }) => resolve([error.message, rows]))
        }),
      )
      const promised = await client.query(slow).catch((error: Error) => error.message)
      client.release()
      return [called, promised, (await db.query('SELECT 3 AS n')).rows]
    },
  })
  await holdDriver({
    gate,
    open: () => ({ port: gate.port, host: '127.0.0.1', user: 'postgres', database: 'postgres', pipeline: true }),
    close: () => undefined,
    agent: async (options) => {
      const client = new pg.Client(options)
      await client.connect()
      const named = { name: 'sum', text: 'SELECT $1::int + 1 AS n' }
      const all = await Promise.allSettled([
        client.query('SELECT 1 AS n'),
        client.query({ ...named, values: [1] }),
        client.query('SELECT nothing'),
        client.query({ ...named, values: [2] }),
      ])
      await client.end()
      return all.map((each) => (each.status === 'fulfilled' ? each.value.rows : (each.reason as pg.DatabaseError).code))
    },
  })
})

it('leaves the promises of the driver unchanged: error stacks, and unhandled errors', async () => {
  const heard: unknown[] = []
  const listeners = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', (error) => heard.push((error as Error).message))
  const closed = new pg.Pool({ port: gate.port, host: '127.0.0.1', user: 'nobody', database: 'postgres' })
  const db = pool()
  try {
    const { output } = await recordRun(async () => {
      async function askForOrders(): Promise<unknown> {
        return await db.query('SELECT nothing')
      }
      async function connectAsNobody(): Promise<unknown> {
        return await closed.connect()
      }
      const stacks = await Promise.all([askForOrders(), connectAsNobody()].map((asked) => asked.catch((error: Error) => error.stack)))
      void db.query('SELECT nothing_else')
      void closed.connect()
      void closed.query('SELECT 1')
      await db.query('SELECT pg_sleep(0.2)')
      return stacks
    })
    expect(output).toEqual([expect.stringContaining('askForOrders'), expect.stringContaining('connectAsNobody')])
    expect(new Set(heard)).toEqual(new Set(['column "nothing_else" does not exist', 'role "nobody" does not exist']))
    expect(heard).toHaveLength(3)
  } finally {
    process.removeAllListeners('unhandledRejection')
    for (const listener of listeners) process.on('unhandledRejection', listener)
    await Promise.all([db.end(), closed.end()])
  }
})

it('records a client whose connection has no stream', async () => {
  const connection = Object.assign(new EventEmitter(), {
    stream: null,
    connect: () => undefined,
    query: () => undefined,
    parsedStatements: {},
    submittedNamedStatements: {},
  })
  const { output } = await recordRun(async () => {
    const client = new pg.Client({ connection } as object)
    client.connect(() => undefined)
    connection.emit('readyForQuery')
    const asked = client.query('SELECT 1')
    connection.emit('commandComplete', { text: 'SELECT 1' })
    connection.emit('readyForQuery')
    return (await asked).command
  })
  expect(output).toBe('SELECT')
})

it('records what callbacks do that are given to a connection', async () => {
  const { trace } = await holdDriver({
    gate,
    open: pool,
    close,
    agent: (db) =>
      new Promise((resolve, reject) => {
        db.connect((failed, client, release) => {
          if (failed !== undefined && failed !== null) reject(failed)
          client?.query('SELECT 1 AS n', (_error, { rows }) => {
            release()
            const refused = new pg.Query('SELECT 3')
            refused.on('error', () => db.query('SELECT 2 AS n', (_late, { rows: more }) => resolve([rows, more])))
            const unused = new pg.Client()
            void unused.end()
            unused.query(refused)
          })
        })
      }),
  })
  expect(trace.steps.map(({ name }) => name)).toEqual(['pg connect', 'pg SELECT', 'pg SELECT'])
})

/** What pg sends for it is no field of it, nor in its JSON. */
class Amount {
  readonly #cents: number
  constructor(cents: number) {
    this.#cents = cents
  }
  toPostgres(): unknown {
    return this.#cents
  }
  toJSON(): unknown {
    return { currency: 'EUR' }
  }
}

it('compares what a value says that it is sent as', async () => {
  const agent = async (db: pg.Pool, cents: number): Promise<unknown> => {
    const client = await db.connect()
    const { rows } = await client.query('SELECT $1::int AS cents', [new Amount(cents)])
    client.release()
    const { rows: lists } = await db.query('SELECT $1::int[] AS cents', [[new Amount(7), new Amount(cents)]])
    return [rows, lists]
  }
  const held = await holdDriver({ gate, open: pool, close, agent: (db) => agent(db, 500) })
  expect(held.trace.steps.slice(1).map(({ input }) => (input as { readonly values: unknown }).values)).toEqual([[500], [[7, 500]]])
  expect((await held.replay((db: pg.Pool) => agent(db, 50_000))).divergences).toMatchObject([{ cause: 'input', step: 2 }])
})

it('tells the state of a transaction as it was', async () => {
  await holdDriver({
    gate,
    open: pool,
    close,
    agent: async (db) => {
      const states: unknown[] = []
      const client = await db.connect()
      const ask = async (sql: string): Promise<void> => {
        // The server says that a query failed, and when it has undone that, what state the transaction is in.
        await client.query(sql).catch(() => setTimeout(200))
        states.push((client as unknown as { getTransactionStatus(): unknown }).getTransactionStatus())
      }
      for (const sql of ['SELECT 1', 'BEGIN', 'SAVEPOINT a', 'SELECT nothing', 'SELECT 1', 'ROLLBACK TO a', 'SELECT 1', 'COMMIT'])
        await ask(sql)
      for (const sql of ['SELECT 1; BEGIN; SELECT 2', 'SELECT nothing', 'COMMIT', 'BEGIN', 'COMMIT AND CHAIN', 'ROLLBACK']) await ask(sql)
      client.release()
      return states
    },
  })
})
