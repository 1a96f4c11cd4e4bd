import mysql from 'mysql2/promise'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Gate, startGate } from '../support/gate.ts'
import { holdDriver } from '../support/hold-driver.ts'
import { recordRun } from '../support/record-run.ts'
import { type Service, startMariadb } from '../support/services.ts'
import { replay } from '../../src/replay/replay.ts'
import { fork } from '../../src/travel/fork.ts'

let server: Service
let gate: Gate
beforeAll(async () => {
  server = await startMariadb()
  gate = await startGate(server.port)
  const setup = await connection()
  await setup.query('CREATE TABLE orders (id varchar(20), total int)')
  await setup.query("INSERT INTO orders VALUES ('ord_1', 12)")
  await setup.end()
})
beforeEach(() => gate.open())
afterAll(async () => {
  await gate[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const connection = (): Promise<mysql.Connection> =>
  mysql.createConnection({ port: gate.port, host: '127.0.0.1', user: 'agent', database: 'test' })
const raise = 'UPDATE orders SET total = total + 1'
const total = async (db: mysql.Connection): Promise<unknown> => {
  const [[row]] = await db.query<mysql.RowDataPacket[]>('SELECT total FROM orders')
  return row?.['total']
}

it('numbers the transactions of a connection that no longer commits by itself', async () => {
  const { trace } = await holdDriver({
    gate,
    open: connection,
    close: (db) => db.end(),
    agent: async (db) => {
      await db.query('SET autocommit=0')
      await db.query(raise)
      await db.query('SELECT total FROM orders')
      await db.rollback()
      await db.query('SELECT 2')
      await db.commit()
      await db.query('SET SESSION autocommit = ON')
      return await db.query('SELECT 3')
    },
  })
  expect(
    trace.steps.map(({ input }) => {
      const { sql, transaction } = input as { readonly sql: string; readonly transaction?: number }
      return [sql, transaction]
    }),
  ).toEqual([
    ['SET autocommit=0', undefined],
    [raise, 1],
    ['SELECT total FROM orders', 1],
    ['ROLLBACK', 1],
    ['SELECT 2', 2],
    ['COMMIT', 2],
    ['SET SESSION autocommit = ON', undefined],
    ['SELECT 3', undefined],
  ])
})

it.each([
  { at: 1, rollback: false },
  { at: 1, rollback: true },
  // From within its first transaction.
  { at: 2, rollback: false },
  { at: 2, rollback: true },
])('answers a fork of it from a clone, from step $at, rolled back: $rollback', async ({ at, rollback }) => {
  const agent = async (): Promise<unknown> => {
    const seen: unknown[] = []
    const db = await connection()
    await db.query('SET autocommit=0')
    await db.query(raise)
    seen.push(await total(db))
    await db.rollback()
    seen.push(await total(db))
    await db.query(raise)
    await db.query(raise)
    seen.push(await total(db))
    await db.query('SET autocommit=1')
    await db.query(raise)
    await db.beginTransaction()
    await db.query(raise)
    await db.rollback()
    seen.push(await total(db))
    await db.end()
    return seen
  }
  const real = await connection()
  await real.query('UPDATE orders SET total = 12')
  await real.query('DROP DATABASE IF EXISTS clone')
  await real.query('CREATE DATABASE clone')
  const clone = await mysql.createConnection({ port: server.port, host: '127.0.0.1', user: 'agent', database: 'clone' })
  await clone.query('CREATE TABLE orders (id varchar(20), total int)')
  await clone.query("INSERT INTO orders VALUES ('ord_1', 70)")
  const { trace, output } = await recordRun(agent)
  expect(output).toEqual([13, 12, 14, 15])
  gate.shut()
  const url = `mysql://agent@127.0.0.1:${server.port}/clone`
  const sandbox = { mysql2: rollback ? { url, rollback } : url }
  const run = await fork(trace, agent, { at, sandbox, route: { mysql2: 'run' } })
  expect(run.outcome).toEqual({ status: 'returned', output: [71, 70, 72, 73] })
  expect(await total(clone)).toBe(rollback ? 70 : 73)
  gate.shut()
  const replayed = await replay(run.toTrace(), agent)
  expect([replayed.divergences, replayed.outcome]).toEqual([[], run.outcome])
  gate.open()
  await clone.end()
  expect(await total(real)).toBe(15)
  await real.query('DROP DATABASE clone')
  await real.end()
})
