import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import BetterSqlite from 'better-sqlite3'
import LibsqlDatabase from 'libsql'
import PromisedDatabase from 'libsql/promise'
import { installDoors } from '../../../src/boundaries/doors.ts'
import { guardProcess } from '../../../src/boundaries/contact/guard.ts'
import { isReplacement, type Restore } from '../../../src/boundaries/patches.ts'
import { replay } from '../../../src/replay/replay.ts'
import { tool } from '../../../src/run/tool.ts'
import { createTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts'
import { recordRun, rowsOf } from '../../support/record-run.ts'
import { contactsIn, refusedContact } from './contact-trial.ts'

let directory: TemporaryDirectory
beforeAll(async () => {
  directory = await createTemporaryDirectory()
})
afterAll(() => directory[Symbol.asyncDispose]())

const guards: Restore[] = []
afterEach(() => {
  for (const release of guards.splice(0)) release()
})

/** What the drivers of SQLite have in common. */
interface Database {
  exec(sql: string): unknown
  prepare(sql: string): {
    run(...values: string[]): unknown
    get(...values: string[]): unknown
    all(): unknown[]
    iterate(): Iterable<unknown>
  }
  close(): void
}

const drivers: readonly (readonly [name: string, open: (file: string) => Database])[] = [
  ['node:sqlite', (file) => new DatabaseSync(file)],
  ['better-sqlite3', (file) => new BetterSqlite(file) as Database],
  ['libsql', (file) => new LibsqlDatabase(file) as Database],
]

let files = 0

/** A database in a file of its own, with a table of orders. */
function openOrders(open: (file: string) => Database): { readonly db: Database; readonly file: string } {
  const file = `${directory.path}/orders-${(files += 1)}.db`
  const db = open(file)
  db.exec("CREATE TABLE orders (id TEXT, status TEXT); INSERT INTO orders VALUES ('ord_1', 'packed')")
  return { db, file }
}

/** How many orders there are, asked by a connection that no door knows. */
function countOrders(file: string): number {
  const other = new DatabaseSync(file, { readOnly: true })
  try {
    return (other.prepare('SELECT count(*) AS orders FROM orders').get() as { orders: number }).orders
  } finally {
    other.close()
  }
}

it.each(drivers)('lets no replay write to the file: %s', async (_driver, open) => {
  const { db, file } = openOrders(open)
  const { trace } = await recordRun(async () => 'done')
  const early = db.prepare("INSERT INTO orders VALUES ('ord_4', 'cancelled')")
  for (const write of [
    () => db.prepare("INSERT INTO orders VALUES (?, 'cancelled')").run('ord_2'),
    () => db.exec("INSERT INTO orders VALUES ('ord_3', 'cancelled')"),
    () => early.run(),
  ]) {
    const run = await replay(trace, async () => {
      write()
      return 'done'
    })
    expect(run.divergences).toHaveLength(1)
    expect(countOrders(file)).toBe(1)
  }
  db.close()
})

it('meets a statement that is promised and was prepared before the doors opened', async () => {
  const { db, file } = openOrders((path) => new LibsqlDatabase(path) as Database)
  const promised = new PromisedDatabase(file, {})
  const early = (await promised.prepare("INSERT INTO orders VALUES ('ord_2', 'cancelled')")) as { run(): Promise<unknown> }
  const agent = async (): Promise<void> => void (await early.run())
  // The class of its statements is known once one is prepared.
  guards.push(installDoors())
  await vi.waitUntil(() => isReplacement(early.run))
  const { trace } = await recordRun(agent)
  expect(contactsIn(trace)).toEqual(['database libsql'])
  expect(refusedContact(await replay(trace, agent))).toBe('database libsql')
  expect(countOrders(file)).toBe(2)
  db.close()
})

it.each(drivers)('leaves a database in memory alone: %s', async (_driver, open) => {
  const agent = async (): Promise<unknown> => {
    const db = open(':memory:')
    db.exec("CREATE TABLE orders (id TEXT); INSERT INTO orders VALUES ('ord_1')")
    const found = db.prepare('SELECT id FROM orders').all().length
    db.close()
    return found
  }
  const { trace } = await recordRun(agent)
  expect(contactsIn(trace)).toEqual([])
  expect(await replay(trace, agent)).toMatchObject({ outcome: { status: 'returned', output: 1 }, divergences: [] })
})

it.each(drivers)('is part of the step that it is asked in: %s', async (_driver, open) => {
  const { db, file } = openOrders(open)
  const cancel = tool('cancel_order', {}, async (id: string) => {
    db.prepare("INSERT INTO orders VALUES (?, 'cancelled')").run(id)
    return 'cancelled'
  })
  const { trace } = await recordRun(() => cancel('ord_1'))
  expect(contactsIn(trace)).toEqual([])
  expect(countOrders(file)).toBe(2)
  expect(await replay(trace, () => cancel('ord_1'))).toMatchObject({ outcome: { output: 'cancelled' }, divergences: [] })
  expect(countOrders(file)).toBe(2)
  db.close()
})

it.each(drivers)('reads and sets up what is there below a guard, and writes nothing: %s', async (_driver, open) => {
  const { db, file } = openOrders(open)
  const refused: string[] = []
  guards.push(guardProcess({ onRefused: ({ door, host }) => refused.push(`${door} ${host}`) }))
  db.exec('PRAGMA foreign_keys = ON; CREATE TABLE IF NOT EXISTS orders (id TEXT, status TEXT);')
  expect(db.prepare('WITH all_orders AS (SELECT * FROM orders) SELECT id FROM all_orders').all()).toHaveLength(1)
  expect(refused).toEqual([])
  for (const sql of [
    "INSERT INTO orders VALUES ('ord_2', 'packed')",
    "SELECT 1; DELETE FROM orders WHERE id = 'ord_1'",
    "-- SELECT\nUPDATE orders SET status = 'lost'",
    'WITH gone AS (SELECT id FROM orders) DELETE FROM orders WHERE id IN (SELECT id FROM gone)',
    'DROP TABLE orders',
    'CREATE TABLE refunds (id TEXT)',
  ]) {
    expect(() => db.exec(sql), sql).toThrow(`The guard refused to contact ${file} (database)`)
  }
  expect(refused).toHaveLength(6)
  expect(db.prepare('SELECT status FROM orders').all()).toMatchObject([{ status: 'packed' }])
  db.close()
})

it.each(drivers)('lets a guard pass what is declared live: %s', async (_driver, open) => {
  const { db, file } = openOrders(open)
  guards.push(guardProcess({ live: [file] }))
  db.exec("INSERT INTO orders VALUES ('ord_2', 'packed')")
  expect(countOrders(file)).toBe(2)
  db.close()
})

it('notes native code that was loaded, but for drivers that it meets', async () => {
  const { trace } = await recordRun(async () => 'done')
  const addons = rowsOf(trace, 'note').filter(({ what }) => what === 'native-addon')
  expect(addons.map(({ where }) => where)).toContainEqual(expect.stringMatching(/^@libsql\//))
  expect(addons.map(({ where }) => where)).not.toContain('better-sqlite3')
})

it('keeps its hands off when the doors are shut', async () => {
  const { DatabaseSync: Class, StatementSync } = process.getBuiltinModule('node:sqlite')
  const before = [Class.prototype.exec, Class.prototype.prepare, StatementSync.prototype.get]
  const release = guardProcess()
  expect(Class.prototype.exec).not.toBe(before[0])
  release()
  expect([Class.prototype.exec, Class.prototype.prepare, StatementSync.prototype.get]).toEqual(before)
  expect(existsSync(directory.path)).toBe(true)
})
