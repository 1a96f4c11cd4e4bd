import { existsSync, rmSync } from 'node:fs'
import type { Database as BetterDatabase } from 'better-sqlite3'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { replay } from '../../../src/replay/replay.ts'
import { holdDatabase, type HeldDatabase } from '../../support/hold-database.ts'
import { recordRun } from '../../support/record-run.ts'
import { createTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts'
import { BetterSqlite, Libsql, PromisedLibsql, sqlite } from './sqlite-drivers.ts'

let directory: TemporaryDirectory
beforeAll(async () => {
  directory = await createTemporaryDirectory()
})
afterAll(() => directory[Symbol.asyncDispose]())

let files = 0

function createOrders(): string {
  const file = `${directory.path}/orders-${(files += 1)}.db`
  const db = new sqlite.DatabaseSync(file)
  db.exec(
    "CREATE TABLE orders (id TEXT PRIMARY KEY, total INT, bill BLOB); INSERT INTO orders VALUES ('ord_1', 12, x'00ff'), ('ord_2', NULL, NULL)",
  )
  db.exec('CREATE TABLE lines (id INTEGER PRIMARY KEY, total INT); INSERT INTO lines VALUES (1, 9007199254740993)')
  db.close()
  return file
}

function better(agent: (db: BetterDatabase) => unknown): Promise<HeldDatabase<BetterDatabase>> {
  const file = createOrders()
  return holdDatabase({ file, open: () => new BetterSqlite(file), agent, close: (db) => db.close() })
}

it('gives rows of better-sqlite3 as they are asked for', async () => {
  const sql = 'SELECT o.id, o.total, l.id, l.total FROM orders o, lines l ORDER BY o.id'
  const { output } = await better((db) => {
    const statement = db.prepare('SELECT id, bill FROM orders')
    const big = db.prepare('SELECT total FROM lines').safeIntegers()
    return [
      statement.raw().all(),
      statement.raw(false).all(),
      statement.pluck().get(),
      db.prepare('SELECT total FROM orders').pluck().all(),
      db.prepare('SELECT total FROM orders WHERE 0').pluck().get(),
      db.prepare(sql).safeIntegers().all(),
      db.prepare(sql).safeIntegers().expand().all(),
      big.get(),
      db.prepare('SELECT id FROM orders WHERE id = ?').bind('ord_2').all(),
      db.prepare('SELECT id FROM orders WHERE id = @id OR id = ?').all(['ord_1'], { id: 'ord_2' }),
      db.prepare('SELECT id FROM orders WHERE id = @id').get({ id: 'ord_2' }),
      [...statement.raw().iterate()],
    ]
  })
  expect((output as unknown[])[6]).toEqual([
    { orders: { id: 'ord_1', total: 12n }, lines: { id: 1n, total: 9007199254740993n } },
    { orders: { id: 'ord_2', total: null }, lines: { id: 1n, total: 9007199254740993n } },
  ])
})

it('describes statements of better-sqlite3 as the driver does', async () => {
  const { trace } = await better((db) => {
    const select = db.prepare('SELECT id AS name, total + 1 AS more FROM orders')
    const insert = db.prepare("INSERT OR REPLACE INTO orders (id) VALUES ('ord_1')")
    const before = select.columns()
    const raw = (): unknown => {
      try {
        return insert.raw()
      } catch (error) {
        return [error instanceof TypeError, (error as Error).message]
      }
    }
    return [
      [select.reader, select.readonly, select.source, select.database === db, select.constructor.name, before],
      [insert.reader, insert.readonly, insert.source, raw(), insert.run().changes],
      select.all().length,
      db.prepare('PRAGMA user_version').reader,
      [db.name, db.memory, db.readonly, db.open],
    ]
  })
  expect(trace.steps.map(({ name }) => name)).toEqual(['better-sqlite3 INSERT', 'better-sqlite3 SELECT'])
})

it('replays transactions of better-sqlite3, nested and failing', async () => {
  const { trace, output } = await better((db) => {
    const insert = db.prepare('INSERT INTO orders (id) VALUES (?)')
    const seen: unknown[] = []
    const one = db.transaction((id: string) => {
      seen.push(db.inTransaction)
      return insert.run(id).changes
    })
    const all = db.transaction((ids: string[]) => {
      for (const id of ids) {
        try {
          one(id)
        } catch (error) {
          seen.push(error instanceof BetterSqlite.SqliteError && error.code)
        }
      }
      return ids.length
    })
    seen.push(all(['ord_3', 'ord_1']), db.inTransaction)
    try {
      one.immediate('ord_1')
    } catch {
      seen.push(db.inTransaction)
    }
    return [seen, db.prepare('SELECT count(*) FROM orders').pluck().get()]
  })
  expect(output).toEqual([[true, true, 'SQLITE_CONSTRAINT_PRIMARYKEY', 2, false, true, false], 3])
  expect(trace.steps.map(({ name, input }) => [name.slice(15), (input as { transaction?: number }).transaction])).toEqual([
    ['BEGIN', 1],
    ...['SAVEPOINT', 'INSERT', 'RELEASE', 'SAVEPOINT', 'INSERT', 'ROLLBACK', 'RELEASE', 'COMMIT'].map((verb) => [verb, 1]),
    ['BEGIN', 2],
    ['INSERT', 2],
    ['ROLLBACK', 2],
    ['SELECT', undefined],
  ])
})

it('replays pragmas, functions and a copy in memory of better-sqlite3', async () => {
  const { trace } = await better((db) => {
    let calls = 0
    db.function('twice', (value: unknown) => {
      calls += 1
      return Number(value) * 2
    })
    db.pragma('user_version = 7')
    const pragmas = [db.pragma('user_version'), db.pragma('user_version', { simple: true }), db.pragma('table_info(orders)')]
    const twice = db.prepare('SELECT twice(total) FROM orders').pluck().all()
    return [pragmas, twice, db.serialize().subarray(0, 15).toString(), calls >= 0]
  })
  expect(trace.steps.at(-1)).toMatchObject({ name: 'better-sqlite3 serialize', effect: 'read' })
})

it('tells the `verbose` of better-sqlite3 the statements of the agent alone', async () => {
  const told: unknown[] = []
  const db = new BetterSqlite(createOrders(), { verbose: (sql) => told.push(sql) })
  const { trace } = await recordRun(async () => db.prepare('SELECT total FROM orders').all())
  db.close()
  expect(told).toEqual(['SELECT total FROM orders'])
  expect(trace.steps[0]?.input).toMatchObject({ database: expect.stringMatching(/orders-\d+\.db$/) })
})

it('refuses what reaches further than the database', async () => {
  const file = createOrders()
  const db = new BetterSqlite(file)
  for (const reach of [() => db.backup(`${file}-copy`), () => db.loadExtension(`${file}-none`)]) {
    const agent = async (): Promise<unknown> => {
      try {
        return await reach()
      } catch {
        return 'failed'
      }
    }
    const { text } = await recordRun(agent)
    expect(text).toContain('unrecorded-contact')
    const { trace } = await recordRun(async () => 'failed')
    expect((await replay(trace, agent)).divergences).toMatchObject([{ cause: 'unrecorded-contact' }])
  }
  db.close()
})

it("refuses a copy by Node's own function, of a database that is opened before the run and of one that the run opens", async () => {
  // Since Node 23.8.
  const { backup } = sqlite as Partial<typeof sqlite>
  if (backup === undefined) return
  const file = createOrders()
  const copy = `${file}-copy`
  const early = new sqlite.DatabaseSync(file)
  for (const open of [() => early, () => new sqlite.DatabaseSync(file)]) {
    const agent = async (): Promise<unknown> => backup(open(), copy).then(String, () => 'failed')
    const { text } = await recordRun(agent)
    expect(text).toContain('unrecorded-contact')
    rmSync(copy)
    const { trace } = await recordRun(async () => 'failed')
    expect((await replay(trace, agent)).divergences).toMatchObject([{ cause: 'unrecorded-contact' }])
    expect(existsSync(copy)).toBe(false)
  }
  early.close()
})

it('replays a database that could not be opened', async () => {
  const file = `${directory.path}/none.db`
  const agent = async (): Promise<unknown> => {
    try {
      return new BetterSqlite(file, { fileMustExist: true }).name
    } catch (error) {
      return [error instanceof BetterSqlite.SqliteError, (error as { code: string }).code]
    }
  }
  const { trace, output } = await recordRun(agent)
  expect(output).toEqual([true, 'SQLITE_CANTOPEN'])
  expect(trace.steps).toMatchObject([{ name: 'better-sqlite3 open' }])
  expect(await replay(trace, agent)).toMatchObject({ divergences: [], outcome: { output } })
})

it('gives rows of node:sqlite as they are asked for', async () => {
  const file = createOrders()
  const { trace } = await holdDatabase({
    file,
    open: () => new sqlite.DatabaseSync(file),
    close: (db) => db.close(),
    agent: (db) => {
      const lines = db.prepare('SELECT id, total FROM lines')
      lines.setReadBigInts(true)
      const orders = db.prepare('SELECT id, bill FROM orders WHERE id = :id OR :id IS NULL')
      const rows = orders.all({ id: null })
      orders.setReturnArrays(true)
      const iterator = db.prepare('SELECT id FROM orders').iterate()
      const store = db.createTagStore(10)
      return [
        lines.all(),
        rows,
        orders.all({ id: 'ord_1' }),
        orders.columns(),
        orders.sourceSQL,
        [Reflect.get(iterator, 'map') !== undefined, [...iterator].map(({ id }) => id), iterator.next()],
        store.get`SELECT id FROM orders WHERE id = ${'ord_2'}`,
        [db.isOpen, db.isTransaction, db.location()],
        (db.exec('BEGIN'), db.isTransaction),
        (db.exec('ROLLBACK'), db.isTransaction),
      ]
    },
  })
  expect(trace.steps).toHaveLength(7)
})

it('replays libsql, in its form with promises', async () => {
  const file = createOrders()
  const { trace, output } = await holdDatabase({
    file,
    open: () => new PromisedLibsql(file, {}) as unknown as PromisedDatabase,
    close: (db) => db.close(),
    agent: async (db) => {
      await db.exec('BEGIN')
      const inside = db.inTransaction
      const insert = await db.prepare('INSERT INTO orders (id) VALUES (?)')
      const { changes } = await insert.run('ord_3')
      await db.exec('COMMIT')
      const rows: unknown[] = []
      for (const { id } of await (await db.prepare('SELECT id FROM orders')).iterate()) rows.push(id)
      const failure = await db
        .prepare('SELECT * FROM missing')
        .catch((error: unknown) => [error instanceof Libsql.SqliteError, String(error)])
      const [all, one] = await Promise.all([
        (await db.prepare('SELECT id FROM orders')).all(),
        (async () => await (await db.prepare('SELECT count(*) AS count FROM orders')).get())(),
      ])
      return [inside, db.inTransaction, changes, rows, failure, all.length, one?.['count']]
    },
  })
  expect(output).toEqual([true, false, 1, ['ord_1', 'ord_2', 'ord_3'], [expect.any(Boolean), 'SqliteError: no such table: missing'], 3, 3])
  expect(trace.steps.map(({ name }) => name)).toContain('libsql prepare')
})

interface PromisedDatabase {
  readonly inTransaction: boolean
  exec(sql: string): Promise<unknown>
  prepare(sql: string): Promise<{
    run(...values: unknown[]): Promise<{ changes: number }>
    get(...values: unknown[]): Promise<Record<string, unknown> | undefined>
    all(...values: unknown[]): Promise<Record<string, unknown>[]>
    iterate(...values: unknown[]): Promise<Iterable<Record<string, unknown>>>
  }>
  close(): unknown
}

it('replays rows that fail after some were read', async () => {
  const { trace, output } = await better((db) => {
    db.function('fails', (value: unknown) => {
      if (value === 'ord_2') throw new RangeError('no such order')
      return value
    })
    const read: unknown[] = []
    try {
      for (const id of db.prepare('SELECT fails(id) FROM orders ORDER BY id').pluck().iterate()) read.push(id)
    } catch (error) {
      read.push(error instanceof RangeError && error.message)
    }
    return read
  })
  expect(output).toEqual(['ord_1', 'no such order'])
  expect(trace.steps.map(({ input }) => input)).toMatchObject([{ rows: 1 }, { after: 1 }])
})
