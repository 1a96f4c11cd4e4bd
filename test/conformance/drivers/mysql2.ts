import type callbacks from 'mysql2'
import type mysql from 'mysql2/promise'
import { type DriverProgram, failure } from './driver-program.ts'

/** The package mysql2, by a pool. */
export const program: DriverProgram<mysql.Pool> = {
  server: 'mariadb',
  open({ port, load }) {
    const { createPool } = load('mysql2/promise') as typeof mysql
    return createPool({ port, host: '127.0.0.1', user: 'agent', database: 'test', connectionLimit: 3 })
  },
  close: (pool) => pool.end(),
  async prepare(pool) {
    await pool.query('DROP TABLE IF EXISTS orders')
    await pool.query(
      'CREATE TABLE orders (id varchar(20) PRIMARY KEY, total decimal(10, 2), placed datetime(6), items json, photo blob) ENGINE=InnoDB',
    )
    await pool.query(
      `INSERT INTO orders VALUES ('ord_1', 12.50, '2026-01-02 03:04:05', '[{"sku":"a"}]', x'00ff'), ('ord_2', 3, NULL, NULL, NULL)`,
    )
  },
  flows: {
    async query(pool) {
      const [rows, fields] = await pool.query('SELECT * FROM orders WHERE id = ?', ['ord_1'])
      return [rows, fields.map(({ name, type }) => [name, type])]
    },
    async prepared(pool) {
      const [rows] = await pool.execute('SELECT * FROM orders WHERE id = ?', ['ord_1'])
      const [more] = await pool.execute('SELECT total + ? AS sum FROM orders WHERE id = ?', [1.5, 'ord_2'])
      return [rows, more]
    },
    async write(pool) {
      const [result] = await pool.query('UPDATE orders SET total = total + 1')
      return result
    },
    async transaction(pool) {
      const connection = await pool.getConnection()
      await connection.beginTransaction()
      await connection.query('UPDATE orders SET total = total + 1')
      await connection.rollback()
      connection.release()
      const [rows] = await pool.query('SELECT sum(total) AS sum FROM orders')
      return rows
    },
    error: (pool) => failure(() => pool.query("INSERT INTO orders (id) VALUES ('ord_1')")),
    'error, prepared': (pool) => failure(() => pool.execute('SELECT nothing')),
    async 'rows as arrays'(pool) {
      const [rows] = await pool.query({ sql: 'SELECT id, total FROM orders ORDER BY id', rowsAsArray: true })
      return rows
    },
    async stream(pool) {
      const connection = await pool.getConnection()
      const called = connection.connection as unknown as callbacks.Connection
      const rows: unknown[] = []
      // Earlier versions give a stream that `for await` does not read to its end.
      await new Promise((resolve, reject) => {
        const stream = called.query('SELECT id, total FROM orders ORDER BY id').stream()
        stream
          .on('data', (row) => rows.push(row))
          .on('end', resolve)
          .on('error', reject)
      })
      connection.release()
      return rows
    },
    async parallel(pool) {
      const results = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => pool.query('SELECT ? AS n', [n])))
      return results.map(([rows]) => rows)
    },
  },
}
