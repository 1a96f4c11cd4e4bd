import { expect, it } from 'vitest'
import { replay } from '../../../src/replay/replay.ts'
import { tool } from '../../../src/run/tool.ts'
import { type HeldDatabase } from '../../support/hold-database.ts'
import { recordRun, rowsOf } from '../../support/record-run.ts'
import { BetterSqlite, type Database, drivers, Libsql, sqlite } from './sqlite-drivers.ts'
import {
  type Open,
  createOrders,
  hold,
  setUpOrders,
  testInMemory,
  testManyRows,
  testRowsOneByOne,
  testSecretRows,
  testSharedDatabase,
} from '../../support/sqlite-orders.ts'

// The other drivers, where each test takes long: sqlite.slow.test.ts.
setUpOrders()

/** Drivers whose statements tell their SQL, even those prepared before the doors were open. */
const telling = drivers.filter(([label]) => label !== 'libsql')

const stepsOf = ({ trace }: Pick<HeldDatabase, 'trace'>): unknown[] => trace.steps.map(({ name, input, effect }) => [name, input, effect])

/** What an error is to an agent. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return 'no error'
  const { constructor, name, message } = error
  return [constructor.name, name, message, Object.entries(error)]
}

function catching(body: () => unknown): unknown {
  try {
    return body()
  } catch (error) {
    return describeError(error)
  }
}

it.each(drivers)('replays rows as they were given: %s', async (label, open) => {
  const held = await hold(open, (db) => {
    const all = db.prepare('SELECT * FROM orders').all()
    const one = db.prepare('SELECT id, total FROM orders WHERE id = ?').get('ord_1')
    return [
      all.map((row) => [Object.getPrototypeOf(row) === null, row['bill']?.constructor.name, { ...row }]),
      one?.['id'],
      db.prepare('SELECT id FROM orders WHERE id = ?').get('none'),
    ]
  })
  const database = held.file
  expect(stepsOf(held)).toEqual([
    [`${label} SELECT`, { sql: 'SELECT * FROM orders', database }, 'read'],
    [`${label} SELECT`, { sql: 'SELECT id, total FROM orders WHERE id = ?', values: ['ord_1'], database }, 'read'],
    [`${label} SELECT`, { sql: 'SELECT id FROM orders WHERE id = ?', values: ['none'], database }, 'read'],
  ])
  expect(held.trace.steps[0]?.output).toMatchObject({
    rows: [
      ['ord_1', 12.5, expect.anything()],
      ['ord_2', null, null],
    ],
  })
})

it.each(drivers)('replays writes, and writes nothing: %s', async (label, open) => {
  const held = await hold(open, (db) => {
    db.exec("UPDATE orders SET total = 3 WHERE id = 'ord_2'")
    const { changes, lastInsertRowid } = db.prepare('INSERT INTO orders VALUES (?, ?, ?)').run('ord_3', 4.25, new Uint8Array([1, 2]))
    const returned = db.prepare("INSERT INTO orders (id) VALUES ('ord_4'), ('ord_5') RETURNING id").all()
    return [changes, lastInsertRowid, returned.map(({ id }) => id)]
  })
  expect(held.output).toEqual([1, 3, ['ord_4', 'ord_5']])
  expect(held.trace.steps.map(({ name, effect }) => [name, effect])).toEqual([
    [`${label} UPDATE`, 'write'],
    [`${label} INSERT`, 'write'],
    [`${label} INSERT`, 'write'],
  ])
  expect(held.trace.steps[1]?.output).toMatchObject({ changed: 1, lastInsertRowid: 3 })
  const db = open(held.file)
  expect(db.prepare('SELECT count(*) AS orders FROM orders').get()).toMatchObject({ orders: 5 })
  db.close()
})

it.each(drivers)('replays errors of preparing and of executing, of the class of the driver: %s', async (label, open) => {
  const held = await hold(open, (db) =>
    [
      () => db.prepare('SELEC 1'),
      () => db.prepare('SELECT * FROM missing'),
      () => db.exec('INSERT INTO missing VALUES (1)'),
      () => db.prepare("INSERT INTO orders (id) VALUES ('ord_1')").run(),
      () => db.prepare('SELECT * FROM orders WHERE id = ?').all(Symbol('not a value')),
      () => db.prepare('SELECT id FROM orders').all().length,
    ].map(catching),
  )
  expect(held.trace.steps.slice(0, 2).map(({ name, error }) => [name, error?.message])).toEqual([
    [`${label} prepare`, 'near "SELEC": syntax error'],
    [`${label} prepare`, 'no such table: missing'],
  ])
  expect((held.output as unknown[]).at(-1)).toBe(2)
  const codes = { sqlite: ['Error', ['code', 'ERR_SQLITE_ERROR']], 'better-sqlite3': ['SqliteError', ['code', 'SQLITE_ERROR']] }
  const [[className, , , entries]] = held.output as [[string, string, string, unknown[]]]
  expect([className, entries[0]]).toEqual(codes[label as keyof typeof codes] ?? ['SqliteError', ['code', 'SQLITE_ERROR']])
})

it.each(drivers)('numbers transactions: %s', async (_label, open) => {
  const held = await hold(open, (db) => {
    db.exec('BEGIN')
    db.prepare("UPDATE orders SET total = 1 WHERE id = 'ord_1'").run()
    db.exec('COMMIT')
    db.exec('BEGIN IMMEDIATE')
    db.prepare('DELETE FROM orders').run()
    db.exec('ROLLBACK')
    return db.prepare('SELECT count(*) AS count FROM orders').get()?.['count']
  })
  expect(held.trace.steps.map(({ input }) => (input as { transaction?: number }).transaction)).toEqual([1, 1, 1, 2, 2, 2, undefined])
})

testRowsOneByOne(drivers.slice(0, 1))

it.each(telling)('answers a database that was opened before, and statements that were prepared before: %s', async (label, open) => {
  const file = createOrders(open)
  const db = open(file)
  const early = db.prepare('SELECT id FROM orders WHERE id = ?')
  const insert = db.prepare('INSERT INTO orders (id) VALUES (?)')
  const agent = async (): Promise<unknown> => {
    db.exec('BEGIN')
    insert.run('ord_3')
    db.exec('COMMIT')
    return [early.get('ord_3')?.['id'], db.prepare('SELECT count(*) AS count FROM orders').get()?.['count']]
  }
  const { trace, output, text } = await recordRun(agent)
  expect(text).not.toContain('unrecorded-contact')
  expect(output).toEqual(['ord_3', 3])
  expect(trace.steps.map(({ name }) => name)).toEqual(['BEGIN', 'INSERT', 'COMMIT', 'SELECT', 'SELECT'].map((verb) => `${label} ${verb}`))
  db.exec('DELETE FROM orders')
  for (let time = 0; time < 3; time += 1)
    expect(await replay(trace, agent)).toMatchObject({ divergences: [], outcome: { status: 'returned', output } })
  expect(db.prepare('SELECT count(*) AS count FROM orders').get()).toMatchObject({ count: 0 })
  db.close()
})

it.each(telling)('replays a recording in which statements did not tell their database, where they do: %s', async (_label, open) => {
  const file = createOrders(open)
  const use = (prepare: () => ReturnType<Database['prepare']>, db: Database) => async () => {
    db.exec('BEGIN')
    const found = prepare().all().length
    db.exec('COMMIT')
    return found
  }
  const sql = 'SELECT * FROM orders'
  const [early, late] = [open(file), open(file)]
  const statement = early.prepare(sql)
  const unknown = use(() => statement, early)
  const known = use(() => late.prepare(sql), late)
  for (const [recorded, replayed] of [
    [unknown, known],
    [known, unknown],
  ] as const) {
    const { trace } = await recordRun(recorded)
    expect(await replay(trace, replayed)).toMatchObject({ divergences: [], outcome: { output: 2 } })
  }
  early.close()
  late.close()
})

testSharedDatabase(drivers.slice(0, 1))

it.each(drivers)('is red where SQL or a value changed, and throws to the agent: %s', async (label, open) => {
  const held = await hold(open, (db) => db.prepare('SELECT id FROM orders WHERE id = ?').all('ord_1').length)
  for (const [sql, value] of [
    ['SELECT id FROM orders WHERE id = ?', 'ord_2'],
    ['SELECT total FROM orders WHERE id = ?', 'ord_1'],
  ] as const) {
    let caught: unknown
    const run = await held.replay((db: Database) => {
      try {
        return db.prepare(sql).all(value).length
      } catch (error) {
        caught = error
        return 'caught'
      }
    })
    expect(run.divergences).toMatchObject([{ cause: 'input', step: 1, name: `${label} SELECT` }])
    expect(caught).toBeInstanceOf(Error)
  }
  const more = await held.replay((db: Database) => {
    db.prepare('SELECT id FROM orders WHERE id = ?').all('ord_1')
    db.exec('DELETE FROM orders')
  })
  expect(more.divergences).toMatchObject([{ name: `${label} DELETE` }])
})

it.each(drivers)('gives a changed statement its recorded answer where the replay goes on: %s', async (_label, open) => {
  const file = createOrders(open)
  const agentThat = (total: number) => async (): Promise<unknown> => {
    const db = open(file)
    const { changes } = db.prepare('UPDATE orders SET total = ?').run(total)
    db.close()
    return changes
  }
  const { trace, output } = await recordRun(agentThat(20))
  const run = await replay(trace, agentThat(21), { onDivergence: 'continue' })
  expect(run.divergences.map(({ cause, step }) => [cause, step])).toEqual([['input', 1]])
  expect([output, run.outcome]).toEqual([2, { status: 'returned', output: 2 }])
})

it.each(drivers)('flags a write that is made twice: %s', async (_label, open) => {
  const file = createOrders(open)
  const db = open(file)
  const { text } = await recordRun(async () => {
    for (let time = 0; time < 2; time += 1) db.prepare('INSERT OR REPLACE INTO orders (id) VALUES (?)').run('ord_9')
  })
  expect(text).toContain('repeated-side-effect')
  db.close()
})

testSecretRows(drivers.slice(0, 1))

testManyRows(drivers.slice(0, 1))

it.each(drivers)('answers what a tool does, with the tool: %s', async (label, open) => {
  const file = createOrders(open)
  const db = open(file)
  const cancel = tool('cancel_order', {}, async (id: string) => db.prepare('DELETE FROM orders WHERE id = ?').run(id).changes)
  const { trace } = await recordRun(() => cancel('ord_1'))
  expect(trace.steps.map(({ name, owner }) => [name, owner])).toEqual([
    ['cancel_order', 0],
    [`${label} DELETE`, 1],
  ])
  expect(await replay(trace, () => cancel('ord_1'))).toMatchObject({ outcome: { output: 1 }, divergences: [] })
  expect(db.prepare('SELECT id FROM orders').all()).toHaveLength(1)
  db.close()
})

it.each(drivers)('leaves a database in memory alone: %s', async (_label, open) => {
  const agent = async (): Promise<unknown> => {
    const db = open(':memory:')
    db.exec("CREATE TABLE orders (id TEXT); INSERT INTO orders VALUES ('ord_1')")
    const found = db.prepare('SELECT id FROM orders').all().length
    db.close()
    return found
  }
  const { trace } = await recordRun(agent)
  expect(trace.steps).toEqual([])
  expect(rowsOf(trace, 'note').filter(({ what }) => what === 'unrecorded-contact')).toEqual([])
  expect(await replay(trace, agent)).toMatchObject({ outcome: { output: 1 }, divergences: [] })
})

it('leaves alone what a database in memory does with itself', async () => {
  const agent = async (): Promise<unknown> => {
    const db = new BetterSqlite(':memory:')
    db.exec("CREATE TABLE seen (id TEXT); INSERT INTO seen VALUES ('ATTACH ''x''')")
    db.exec('VACUUM')
    const size = db.serialize().length > 0
    db.close()
    const own = new sqlite.DatabaseSync(':memory:')
    own.exec('CREATE TABLE seen (id TEXT PRIMARY KEY)')
    const session = own.createSession({ table: 'seen' })
    own.exec("INSERT INTO seen VALUES ('a')")
    const changed = session.changeset().length > 0
    own.close()
    return [size, changed]
  }
  const { trace, output } = await recordRun(agent)
  expect(output).toEqual([true, true])
  expect(rowsOf(trace, 'note').filter(({ what }) => what === 'unrecorded-contact')).toEqual([])
  const run = await replay(trace, agent)
  expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output }])
})

testInMemory(drivers.slice(0, 1))

it.each(drivers)('is red where a database was closed, and holds where the recorded one was: %s', async (label, open) => {
  const file = createOrders(open)
  const agentWith = (db: Database, change: (db: Database) => void) => async (): Promise<unknown> => {
    const statement = db.prepare('UPDATE orders SET total = ?')
    change(db)
    return statement.run(1).changes
  }
  const recordedWith = open(file)
  const { trace } = await recordRun(agentWith(recordedWith, () => undefined))
  recordedWith.close()
  const closed = await replay(trace, () => agentWith(open(file), (db) => db.close())())
  // A statement of libsql works after its database was closed.
  const [cause, status] = label === 'libsql' ? [undefined, 'returned'] : ['missing-call', 'threw']
  expect([closed.divergences[0]?.cause, closed.outcome.status]).toEqual([cause, status])
  const closing = async (): Promise<unknown> => {
    try {
      return await agentWith(open(file), (db) => db.close())()
    } catch (error) {
      return (error as Error).message
    }
  }
  const again = await recordRun(closing)
  const run = await replay(again.trace, closing)
  expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output: again.output }])
})

it.each(telling)('ends the transaction that a replay has left on a connection of a module: %s', async (_label, open) => {
  const file = createOrders(open)
  const shared = open(file)
  const isWithin = (): unknown => Reflect.get(shared, 'isTransaction') ?? Reflect.get(shared, 'inTransaction')
  const { trace } = await recordRun(async () => {
    shared.exec('BEGIN')
    return isWithin()
  })
  shared.exec('ROLLBACK')
  await replay(trace, async () => {
    shared.exec('BEGIN')
    return isWithin()
  })
  const next = await recordRun(async () => isWithin())
  expect(next.output).toBe(false)
  shared.close()
})

it.each(drivers)('works for real with a statement that was kept from a replay: %s', async (_label, open) => {
  const db = open(createOrders(open))
  const kept = new Map<string, ReturnType<Database['prepare']>>()
  const agent = async (): Promise<unknown> => {
    const statement = kept.get('count') ?? db.prepare('SELECT count(*) AS count FROM orders')
    kept.set('count', statement)
    return statement.get()?.['count']
  }
  const { trace } = await recordRun(agent)
  kept.clear()
  db.exec('DELETE FROM orders')
  expect(await replay(trace, agent)).toMatchObject({ outcome: { output: 2 }, divergences: [] })
  expect(kept.get('count')?.get()).toMatchObject({ count: 0 })
  expect((await recordRun(agent)).trace.steps[0]?.output).toMatchObject({ rows: [expect.arrayContaining([0])] })
  db.close()
})

it('answers a database of libsql that was opened before, and refuses statements that were prepared before', async () => {
  const open: Open = (path) => new Libsql(path) as unknown as Database
  const db = open(createOrders(open))
  const early = db.prepare('INSERT INTO orders (id) VALUES (?)')
  const agent = async (): Promise<unknown> => {
    db.exec('BEGIN')
    db.prepare('INSERT INTO orders (id) VALUES (?)').run('ord_3')
    db.exec('COMMIT')
    return db.prepare('SELECT count(*) AS count FROM orders').all()
  }
  const { trace, output } = await recordRun(agent)
  db.exec('DELETE FROM orders')
  expect(await replay(trace, agent)).toMatchObject({ divergences: [], outcome: { status: 'returned', output } })
  const contact = await recordRun(async () => void early.run('ord_4'))
  expect(rowsOf(contact.trace, 'note').map(({ where }) => where)).toContainEqual(expect.stringMatching(/^database libsql at /))
  expect((await replay(contact.trace, async () => void early.run('ord_5'))).divergences).toMatchObject([{ cause: 'unrecorded-contact' }])
  expect(db.prepare('SELECT id FROM orders').all()).toMatchObject([{ id: 'ord_4' }])
  db.close()
})
