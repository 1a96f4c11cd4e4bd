import type * as libsql from '@libsql/client'
import { type DriverProgram, failure } from './driver-program.ts'
import { setUp } from './sqlite-flows.ts'

/** The package @libsql/client, with a database in a file. */
export const program: DriverProgram<libsql.Client> = {
  server: 'none',
  open: ({ file, load }) => (load('@libsql/client') as typeof libsql).createClient({ url: `file:${file}` }),
  close: (client) => client.close(),
  async prepare(client) {
    for (const sql of setUp) await client.execute(sql)
  },
  flows: {
    query: async (client) => {
      const { rows, columns } = await client.execute({ sql: 'SELECT * FROM orders WHERE id = ?', args: ['ord_1'] })
      return [rows, columns]
    },
    write: async (client) => (await client.execute('UPDATE orders SET total = total + 1')).rowsAffected,
    batch: async (client) =>
      (await client.batch(['UPDATE orders SET total = 1', 'SELECT id, total FROM orders'], 'write')).map(({ rows }) => rows),
    transaction: async (client) => {
      const transaction = await client.transaction('write')
      await transaction.execute('UPDATE orders SET total = total + 1')
      await transaction.rollback()
      return (await client.execute('SELECT sum(total) AS sum FROM orders')).rows
    },
    error: (client, { load }) =>
      failure(() => client.execute("INSERT INTO orders (id) VALUES ('ord_1')"), (load('@libsql/client') as typeof libsql).LibsqlError),
  },
}
