import { existsSync, renameSync, rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { replay } from '../../src/replay/replay.ts'
import { holdDatabase, type HeldDatabase } from './hold-database.ts'
import { recordRun, rowsOf, startRecorder } from './record-run.ts'
import { createTemporaryDirectory, type TemporaryDirectory } from './temporary-directory.ts'
import { type Database, type Driver, drivers } from '../boundaries/drivers/sqlite-drivers.ts'

export type Open = Driver[1]

let directory: TemporaryDirectory

let files = 0

/** A file with a table of orders. */
export function createOrders(open: Open): string {
  const file = `${directory.path}/orders-${(files += 1)}.db`
  const db = open(file)
  db.exec(
    "CREATE TABLE orders (id TEXT PRIMARY KEY, total REAL, bill BLOB); INSERT INTO orders VALUES ('ord_1', 12.5, x'00ff'), ('ord_2', NULL, NULL)",
  )
  db.close()
  return file
}

export async function hold(open: Open, agent: (db: Database) => unknown): Promise<HeldDatabase<Database> & { readonly file: string }> {
  const file = createOrders(open)
  const held = await holdDatabase({ file, open: () => open(file), agent, close: (db) => db.close() })
  return { ...held, file }
}

export function testRowsOneByOne(cases: readonly (typeof drivers)[number][]): void {
  it.each(cases)('replays rows that are read one by one, and left early: %s', async (label, open) => {
    const held = await hold(open, async (db) => {
      const whole = [...db.prepare('SELECT id FROM orders').iterate()].map(({ id }) => id)
      const early: unknown[] = []
      for (const { id } of db.prepare('SELECT id FROM orders ORDER BY id DESC').iterate()) {
        early.push(id)
        break
      }
      const rows = db.prepare("SELECT id FROM orders WHERE id > ''").iterate()
      const first = rows.next().value as { id: string }
      await Promise.resolve()
      const slow: unknown[] = []
      for (const { id } of db.prepare('SELECT id FROM orders WHERE id <> ?').iterate('none')) {
        slow.push(id)
        await Promise.resolve()
      }
      rows.return?.()
      return [whole, early, first.id, slow]
    })
    expect(held.output).toEqual([['ord_1', 'ord_2'], ['ord_2'], 'ord_1', ['ord_1', 'ord_2']])
    const database = held.file
    const slow = { sql: 'SELECT id FROM orders WHERE id <> ?', values: ['none'], database }
    expect(held.trace.steps.map(({ input }) => input)).toEqual([
      { sql: 'SELECT id FROM orders', database },
      { sql: 'SELECT id FROM orders ORDER BY id DESC', database, rows: 1 },
      { sql: "SELECT id FROM orders WHERE id > ''", database, rows: 1 },
      { ...slow, rows: 1 },
      { ...slow, after: 1, rows: 1 },
      { ...slow, after: 2 },
    ])
    const reads = (count: number) => (db: Database) => {
      let read = 0
      for (const _ of db.prepare('SELECT id FROM orders').iterate()) if ((read += 1) === count) break
    }
    const { trace, replay: again } = await hold(open, reads(1))
    expect(trace.steps).toHaveLength(1)
    expect((await again(reads(2))).divergences).toMatchObject([{ cause: 'unexpected-call', name: `${label} SELECT` }])
  })
}

export function testSharedDatabase(cases: readonly (typeof drivers)[number][]): void {
  it.each(cases)('keeps runs apart that share a database: %s', async (_label, open) => {
    const file = createOrders(open)
    const db = open(file)
    const agent = async (id: string): Promise<unknown> => {
      const rows: unknown[] = []
      for (let turn = 0; turn < 3; turn += 1) {
        db.prepare('INSERT INTO orders (id, total) VALUES (?, ?)').run(`${id}-${turn}`, turn)
        await new Promise((resolve) => setTimeout(resolve, 1))
        rows.push(db.prepare('SELECT total FROM orders WHERE id = ?').get(`${id}-${turn}`)?.['total'])
      }
      return rows
    }
    const recorder = await startRecorder()
    const ids = Array.from({ length: 8 }, (_, index) => `run-${index}`)
    const runs = await Promise.all(ids.map((id) => recorder.record(agent, { input: id })))
    await recorder[Symbol.asyncDispose]()
    db.close()
    renameSync(file, `${file}-away`)
    for (const [index, { trace, output }] of runs.entries()) {
      const id = `run-${index}`
      expect(trace.steps.map(({ input }) => (input as { values: unknown[] }).values[0])).toEqual(
        [0, 0, 1, 1, 2, 2].map((turn) => `${id}-${turn}`),
      )
      const run = await replay(trace, async () => {
        const fresh = open(file)
        const rows: unknown[] = []
        for (let turn = 0; turn < 3; turn += 1) {
          fresh.prepare('INSERT INTO orders (id, total) VALUES (?, ?)').run(`${id}-${turn}`, turn)
          await new Promise((resolve) => setTimeout(resolve, 1))
          rows.push(fresh.prepare('SELECT total FROM orders WHERE id = ?').get(`${id}-${turn}`)?.['total'])
        }
        return rows
      })
      expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output }])
    }
    expect(existsSync(file)).toBe(false)
  })
}

export function testSecretRows(cases: readonly (typeof drivers)[number][]): void {
  it.each(cases)('keeps secrets out of the recording: %s', async (_label, open) => {
    const secrets = Array.from({ length: 10 }, (_, index) => `sk-proj-${String(index).repeat(4)}AbCdEfGhIjKlMnOpQrStUvWx${index}`)
    const mails = Array.from({ length: 6 }, (_, index) => `jane.doe${index}@customer-mail.com`)
    const cards = ['4242424242424242', '5555555555554444', '378282246310005', '6011111111111117']
    const planted = [...secrets, ...mails, ...cards]
    const { text, output } = await hold(open, (db) => {
      const insert = db.prepare('INSERT INTO orders (id, total) VALUES (?, ?)')
      for (const [index, secret] of planted.entries()) insert.run(secret, index)
      db.exec(`UPDATE orders SET total = 1 WHERE id = '${planted[0]}'`)
      return db.prepare('SELECT id FROM orders').all().length
    })
    expect(output).toBe(22)
    expect(planted.filter((secret) => text.includes(secret))).toEqual([])
  })
}

export function testManyRows(cases: readonly (typeof drivers)[number][]): void {
  it.each(cases)('answers 10,000 rows, unicode and bytes: %s', async (_label, open) => {
    const held = await hold(open, (db) => {
      const rows = db
        .prepare(
          "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 10000) SELECT i, 'ключ 🔑 ' || i AS name, zeroblob(2) AS b FROM n",
        )
        .all()
      return [rows.length, rows.at(-1)?.['name'], rows.at(-1)?.['i'], rows[0]?.['b']?.constructor.name]
    })
    expect((held.output as unknown[]).slice(0, 3)).toEqual([10_000, 'ключ 🔑 10000', 10_000])
  })
}

export function testInMemory(cases: readonly (typeof drivers)[number][]): void {
  it.each(cases)('refuses what a database in memory would reach: %s', async (_label, open) => {
    const file = createOrders(open)
    const copy = `${file}-copy`
    for (const sql of [`ATTACH '${file}' AS shop`, `-- All of it.\nattach database "${file}" as shop`, `VACUUM INTO '${copy}'`]) {
      const agent = async (): Promise<unknown> => {
        const db = open(':memory:')
        db.exec("ATTACH ':memory:' AS other; CREATE TABLE other.seen (id TEXT); SELECT 'attach ''x''; -- vacuum into y'")
        db.exec(sql)
        if (/attach/i.test(sql)) db.exec("INSERT INTO shop.orders VALUES ('ord_3', 1, NULL)")
        db.close()
        return 'done'
      }
      const { trace } = await recordRun(agent)
      expect(rowsOf(trace, 'note').map(({ what }) => what)).toContain('unrecorded-contact')
      rmSync(copy, { force: true })
      const db = open(file)
      db.exec("DELETE FROM orders WHERE id = 'ord_3'")
      const run = await replay(trace, agent)
      expect(run.divergences[0]).toMatchObject({ cause: 'unrecorded-contact' })
      expect(db.prepare('SELECT count(*) AS n FROM orders').get()?.['n']).toBe(2)
      expect(existsSync(copy)).toBe(false)
      db.close()
    }
  })
}

/** Starts what the tests share, and ends it after them. */
export function setUpOrders(): void {
  beforeAll(async () => {
    directory = await createTemporaryDirectory()
  })
  afterAll(() => directory[Symbol.asyncDispose]())
}
