import type postgres from 'postgres'
import { type DriverProgram, failure } from './driver-program.ts'

/** The package postgres. */
export const program: DriverProgram<postgres.Sql> = {
  server: 'postgres',
  open({ port, load }) {
    return (load('postgres') as typeof postgres)({
      port,
      host: '127.0.0.1',
      user: 'postgres',
      database: 'postgres',
      max: 3,
      onnotice: () => undefined,
    })
  },
  close: (sql) => sql.end(),
  async prepare(sql) {
    await sql`DROP TABLE IF EXISTS orders`
    await sql`CREATE TABLE orders (id text PRIMARY KEY, total numeric, placed timestamptz, items jsonb)`
    await sql`INSERT INTO orders ${sql([
      { id: 'ord_1', total: 12.5, placed: new Date('2026-01-02T03:04:05Z') },
      { id: 'ord_2', total: 3, placed: null },
    ])}`
  },
  flows: {
    async query(sql) {
      const rows = await sql`SELECT * FROM orders WHERE id = ${'ord_1'}`
      return [[...rows], rows.count, rows.command, rows.columns.map(({ name, type }) => [name, type])]
    },
    async helpers(sql) {
      const rows = await sql`SELECT ${sql(['id', 'total'])} FROM ${sql('orders')} WHERE id IN ${sql(['ord_1', 'ord_2'])} ORDER BY id`
      return [...rows]
    },
    async transaction(sql) {
      const failed = await failure(() =>
        sql.begin(async (transaction) => {
          await transaction`UPDATE orders SET total = total + 1`
          throw new RangeError('no')
        }),
      )
      return [failed, [...(await sql`SELECT sum(total) FROM orders`)]]
    },
    error: (sql, { load }) =>
      failure(() => sql`INSERT INTO orders (id) VALUES ('ord_1')`, (load('postgres') as typeof postgres).PostgresError),
    'several statements': async (sql) => await sql.unsafe('SELECT 1 AS a; SELECT 2 AS b').simple(),
    async cursor(sql) {
      const read: unknown[] = []
      await sql`SELECT n FROM generate_series(1, 25) AS n`.cursor(10, (rows) => void read.push([...rows]))
      return read
    },
    async 'row by row'(sql) {
      const read: unknown[] = []
      await sql`SELECT n FROM generate_series(1, 25) AS n`.forEach((row) => void read.push(row))
      return read
    },
    async parallel(sql) {
      const results = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => sql`SELECT ${n}::int AS n`))
      return results.map((rows) => [...rows])
    },
  },
}
