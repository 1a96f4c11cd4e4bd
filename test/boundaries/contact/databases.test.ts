import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import BetterSqlite from 'better-sqlite3'
import LibsqlDatabase from 'libsql'
import PromisedDatabase from 'libsql/promise'
import { guardProcess } from '../../../src/boundaries/contact/guard.ts'
import type { Restore } from '../../../src/boundaries/patches.ts'
import { replay } from '../../../src/replay/replay.ts'
import { tool } from '../../../src/run/tool.ts'
import { createTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts'
import { recordRun, rowsOf } from '../../support/record-run.ts'
import { contactsIn, refusedContact, tryContact } from './contact-trial.ts'

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

const ways: readonly (readonly [way: string, ask: (db: Database) => unknown])[] = [
  ['get', (db) => db.prepare('SELECT status FROM orders WHERE id = ?').get('ord_1')],
  ['all', (db) => db.prepare('SELECT status FROM orders').all()[0]],
  ['iterate', (db) => [...db.prepare('SELECT status FROM orders').iterate()][0]],
]

it.each(drivers.flatMap(([driver, open]) => ways.map(([way, ask]) => [driver, way, open, ask] as const)))(
  'meets a read by %s, %s',
  async (_driver, _way, open, ask) => {
    const { db, file } = openOrders(open)
    expect(await tryContact(async () => (ask(db) as { readonly status: string }).status, 'packed')).toBe(`database ${file}`)
    db.close()
  },
)

it.each(drivers)('lets no replay write to the file: %s', async (_driver, open) => {
  const { db, file } = openOrders(open)
  const insert = (): unknown => db.prepare("INSERT INTO orders VALUES (?, 'cancelled')").run('ord_2')
  for (const write of [insert, () => db.exec("INSERT INTO orders VALUES ('ord_3', 'cancelled')")]) {
    const agent = async (): Promise<string> => {
      write()
      return 'done'
    }
    const { trace } = await recordRun(agent)
    const before = countOrders(file)
    expect(contactsIn(trace)).toEqual([`database ${file}`])
    expect(refusedContact(await replay(trace, agent))).toBe(`database ${file}`)
    expect(countOrders(file)).toBe(before)
  }
  expect(countOrders(file)).toBe(3)
  db.close()
})

it.each(drivers)('meets a statement that was prepared before the doors opened: %s', async (name, open) => {
  const { db, file } = openOrders(open)
  const cancel = db.prepare("INSERT INTO orders VALUES ('ord_2', 'cancelled')")
  const agent = async (): Promise<string> => {
    cancel.run()
    return 'done'
  }
  const { trace } = await recordRun(agent)
  // Most statements do not tell whose they are.
  const host = name === 'better-sqlite3' ? file : name
  expect(contactsIn(trace)).toEqual([`database ${host}`])
  expect(refusedContact(await replay(trace, agent))).toBe(`database ${host}`)
  expect(countOrders(file)).toBe(2)
  db.close()
})

it('meets a statement that is promised', async () => {
  const { db, file } = openOrders((path) => new LibsqlDatabase(path) as Database)
  const promised = new PromisedDatabase(file, {})
  const early = (await promised.prepare("INSERT INTO orders VALUES ('ord_2', 'cancelled')")) as { run(): Promise<unknown> }
  const prepares = async (): Promise<unknown> =>
    await ((await promised.prepare("INSERT INTO orders VALUES ('ord_3', 'cancelled')")) as typeof early).run()
  for (const agent of [async () => void (await early.run()), async () => void (await prepares())]) {
    const { trace } = await recordRun(agent)
    // It promises the list of its files, too.
    expect(contactsIn(trace)).toEqual(['database libsql'])
    const before = countOrders(file)
    expect(refusedContact(await replay(trace, agent))).toBe('database libsql')
    expect(countOrders(file)).toBe(before)
  }
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
