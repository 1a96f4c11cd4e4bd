import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { external } from '../../src/index.ts'
import { fork, replay } from '../../src/replay.ts'
import { recordRun } from '../support/record-run.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

/** Makes a database of one order. */
function makeDatabase(file: string): void {
  const database = new DatabaseSync(file)
  database.exec(`CREATE TABLE orders (id TEXT, status TEXT); INSERT INTO orders VALUES ('o1', 'packed')`)
  database.close()
}

function queryFile(file: string, sql: string): unknown {
  const database = new DatabaseSync(file)
  try {
    return database
      .prepare(sql)
      .all()
      .map((row) => ({ ...row }))
  } finally {
    database.close()
  }
}

it('has a sandbox that is a clone of the database, and leaves the real one alone', async () => {
  await using directory = await createTemporaryDirectory()
  const [real, clone] = [directory.resolve('real.db'), directory.resolve('clone.db')]
  for (const file of [real, clone]) makeDatabase(file)
  const query = external('db.query', async (sql: string) => queryFile(real, sql))
  const agentThat = (status: string) => async (): Promise<unknown> => {
    await query(`UPDATE orders SET status = '${status}'`)
    return await query('SELECT status FROM orders')
  }
  const { trace } = await recordRun(agentThat('shipped'))
  const sandbox = { 'db.query': (sql: string) => queryFile(clone, sql) }
  const run = await fork(trace, agentThat('cancelled'), { then: 'sandbox', route: { 'db.query': 'sandbox' }, sandbox })
  expect(run.outcome).toEqual({ status: 'returned', output: [{ status: 'cancelled' }] })
  expect(queryFile(clone, 'SELECT * FROM orders')).toEqual([{ id: 'o1', status: 'cancelled' }])
  expect(queryFile(real, 'SELECT * FROM orders')).toEqual([{ id: 'o1', status: 'shipped' }])
  const again = await replay(run.toTrace(), agentThat('cancelled'))
  expect([again.divergences, again.outcome]).toEqual([[], run.outcome])
})

it('says what to do where a fork asks SQLite, and reaches no file', async () => {
  await using directory = await createTemporaryDirectory()
  const file = directory.resolve('orders.db')
  makeDatabase(file)
  const agentThat = (status: string) => async (): Promise<unknown> => {
    const database = new DatabaseSync(file)
    const { changes } = database.prepare('UPDATE orders SET status = ?').run(status)
    database.close()
    return changes
  }
  const { trace } = await recordRun(agentThat('shipped'))
  const run = await fork(trace, agentThat('cancelled'), { at: 1, route: { sqlite: 'run' } })
  expect(run.divergences).toMatchObject([
    {
      cause: 'unexpected-call',
      reason: `Give the file of a sandbox: sandbox: { "sqlite": './clone.db' }.`,
    },
  ])
  expect(queryFile(file, 'SELECT status FROM orders')).toEqual([{ status: 'shipped' }])
})
