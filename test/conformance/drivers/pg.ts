import type pg from 'pg'
import type Cursor from 'pg-cursor'
import type QueryStream from 'pg-query-stream'
import { type DriverProgram, failure } from './driver-program.ts'

/** The package pg, by a pool. */
export const program: DriverProgram<pg.Pool> = {
  server: 'postgres',
  open({ port, load }) {
    const { Pool } = load('pg') as typeof pg
    return new Pool({ port, host: '127.0.0.1', user: 'postgres', database: 'postgres', max: 3 })
  },
  close: (pool) => pool.end(),
  async prepare(pool) {
    await pool.query('DROP TABLE IF EXISTS orders')
    await pool.query('CREATE TABLE orders (id text PRIMARY KEY, total numeric, placed timestamptz, items jsonb, photo bytea)')
    await pool.query(
      `INSERT INTO orders VALUES ('ord_1', 12.50, '2026-01-02T03:04:05Z', '[{"sku":"a"}]', '\\x00ff'), ('ord_2', 3, NULL, NULL, NULL)`,
    )
  },
  flows: {
    async query(pool) {
      const { rows, rowCount, command, fields } = await pool.query('SELECT * FROM orders WHERE id = $1', ['ord_1'])
      return [rows, rowCount, command, fields.map(({ name, dataTypeID }) => [name, dataTypeID])]
    },
    async prepared(pool) {
      const client = await pool.connect()
      const named = { name: 'by-id', text: 'SELECT total FROM orders WHERE id = $1' }
      const rows = [await client.query({ ...named, values: ['ord_1'] }), await client.query({ ...named, values: ['ord_2'] })]
      client.release()
      return rows.map((result) => result.rows)
    },
    async transaction(pool) {
      const client = await pool.connect()
      await client.query('BEGIN')
      const { rowCount } = await client.query('UPDATE orders SET total = total + 1')
      await client.query('ROLLBACK')
      client.release()
      return [rowCount, (await pool.query('SELECT sum(total) FROM orders')).rows]
    },
    error: (pool, { load }) => failure(() => pool.query("INSERT INTO orders VALUES ('ord_1')"), (load('pg') as typeof pg).DatabaseError),
    async 'several statements'(pool) {
      const results = (await pool.query('SELECT 1 AS a; SELECT 2 AS b, 3 AS c; SET work_mem = 1024')) as unknown as pg.QueryResult[]
      return results.map(({ rows, command }) => [rows, command])
    },
    async cursor(pool, { load }) {
      const client = await pool.connect()
      const Read = load('pg-cursor') as typeof Cursor
      const cursor = client.query(new Read<unknown>('SELECT n FROM generate_series(1, 25) AS n WHERE n > $1', [2]))
      const read = [await cursor.read(10), await cursor.read(10), await cursor.read(10)]
      await cursor.close()
      client.release()
      return read
    },
    async stream(pool, { load }) {
      const client = await pool.connect()
      const Stream = load('pg-query-stream') as typeof QueryStream
      const rows: unknown[] = []
      for await (const row of client.query(new Stream('SELECT n FROM generate_series(1, 250) AS n', [], { batchSize: 100 }))) rows.push(row)
      client.release()
      return rows
    },
    async parallel(pool) {
      const results = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => pool.query('SELECT $1::int AS n', [n])))
      return results.map(({ rows }) => rows)
    },
    callbacks: (pool) =>
      new Promise((resolve) => {
        pool.query('SELECT nothing', (error) => {
          pool.query('SELECT 1 AS n', (_error, { rows }) => resolve([error.message, rows]))
        })
      }),
  },
}
