import { copyFileSync, existsSync } from 'node:fs'
import { createClient } from '@libsql/client'
import { afterAll, describe, expect, it } from 'vitest'
import { installReplayDoors } from '../../src/boundaries/doors.ts'
import { fork, replay } from '../../src/replay.ts'
import { BetterSqlite, type Database, drivers, PromisedLibsql, sqlite } from '../boundaries/drivers/sqlite-drivers.ts'
import { recordRun } from '../support/record-run.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

// As in golden files.
afterAll(installReplayDoors())

/** Makes the database of an order, and a clone of it in which its total is 7. */
async function makeFiles() {
  const directory = await createTemporaryDirectory()
  const [real, clone] = [directory.resolve('real.db'), directory.resolve('clone.db')]
  const database = new sqlite.DatabaseSync(real)
  database.exec(`CREATE TABLE orders (id TEXT PRIMARY KEY, total REAL, note BLOB); INSERT INTO orders VALUES ('ord_1', 12.5, x'01ff')`)
  database.close()
  copyFileSync(real, clone)
  const cloned = new sqlite.DatabaseSync(clone)
  cloned.exec('UPDATE orders SET total = 7')
  cloned.close()
  return { real, clone, [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose]() }
}

function totalsIn(file: string): unknown[] {
  const database = new sqlite.DatabaseSync(file)
  const totals = database
    .prepare('SELECT total FROM orders ORDER BY id')
    .all()
    .map(({ total }) => total)
  database.close()
  return totals
}

/** Reads, writes, fails, rolls back and reads again. */
function work(database: Database): unknown {
  const find = database.prepare('SELECT id, total, note FROM orders WHERE id = ?')
  const { id, total, note } = find.get('ord_1') ?? {}
  const before = { id, total, note: [...(note as Uint8Array)] }
  database.exec('BEGIN')
  database.prepare('UPDATE orders SET total = total + 1 WHERE id = ?').run('ord_1')
  const within = find.get('ord_1')?.['total']
  database.exec('ROLLBACK')
  const { changes } = database.prepare('INSERT INTO orders VALUES (?, ?, NULL)').run('ord_2', 99)
  let failed: unknown
  try {
    database.prepare('INSERT INTO orders VALUES (?, ?, NULL)').run('ord_1', 1)
  } catch (error) {
    failed = [(error as Error).constructor.name, (error as Error).message]
  }
  const listed: unknown[] = []
  for (const row of database.prepare('SELECT id FROM orders ORDER BY id').iterate()) listed.push(row['id'])
  const all = database.prepare('SELECT id, total FROM orders ORDER BY id').all()
  const titled = database.prepare('SELECT total AS t FROM orders')
  const columns = [titled.columns().map(({ name }) => name), titled.all().length]
  return [before, within, changes, failed, listed, all.map((row) => ({ ...row })), columns]
}

describe.each(drivers)('a fork whose sandbox is a file of %s', (label, open) => {
  it.each([false, true])('is answered as its driver answers, and keeps nothing if rolled back: %s', async (rollback) => {
    await using files = await makeFiles()
    const { real, clone } = files
    const agent = async (): Promise<unknown> => {
      const database = open(real)
      const output = work(database)
      database.close()
      return output
    }
    const { trace } = await recordRun(agent)
    expect(totalsIn(real)).toEqual([12.5, 99])
    // What the driver gives without a run.
    const bare = await (async () => {
      const copy = `${clone}-bare`
      copyFileSync(clone, copy)
      const database = open(copy)
      const output = work(database)
      database.close()
      return output
    })()
    expect(bare).toMatchObject([
      { total: 7, note: [1, 255] },
      8,
      1,
      [expect.any(String), expect.stringContaining('UNIQUE')],
      ['ord_1', 'ord_2'],
      expect.any(Array),
      [['t'], 2],
    ])
    const sandbox = { [label]: rollback ? { url: clone, rollback } : clone }
    const run = await fork(trace, agent, { at: 1, sandbox, route: { [label]: 'run' } })
    expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output: bare }])
    expect(new Set(run.steps.map(({ route }) => route))).toEqual(new Set(['sandbox']))
    expect(totalsIn(clone)).toEqual(rollback ? [7] : [7, 99])
    expect(totalsIn(real)).toEqual([12.5, 99])
    // What the sandbox gave is in the fork's trace.
    const replayed = await replay(run.toTrace(), agent)
    expect([replayed.divergences, replayed.outcome]).toEqual([[], run.outcome])
  })

  it('continues a transaction in the sandbox when the fork starts inside it', async () => {
    await using files = await makeFiles()
    const { real, clone } = files
    const agentThat = (total: number) => async (): Promise<unknown> => {
      const database = open(real)
      database.exec('BEGIN')
      database.prepare('UPDATE orders SET total = ?').run(total)
      database.exec('COMMIT')
      const read = database.prepare('SELECT total FROM orders').get()?.['total']
      database.close()
      return read
    }
    const { trace } = await recordRun(agentThat(20))
    const run = await fork(trace, agentThat(30), { at: 2, then: 'sandbox', sandbox: { [label]: `file:${clone}` } })
    // The read is as recorded, and has the recorded answer.
    expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output: 20 }])
    expect(run.steps.map(({ route }) => route)).toEqual([undefined, 'sandbox', 'sandbox', 'recorded'])
    expect(totalsIn(clone)).toEqual([30])
    expect(totalsIn(real)).toEqual([20])
  })

  it('begins where the agent departs from the trace with a statement', async () => {
    await using files = await makeFiles()
    const { real, clone } = files
    const agentThat = (id: string) => async (): Promise<unknown> => {
      const database = open(real)
      const total = database.prepare('SELECT total FROM orders WHERE id = ?').get(id)?.['total']
      database.close()
      return total ?? 'none'
    }
    const { trace } = await recordRun(agentThat('ord_0'))
    const run = await fork(trace, agentThat('ord_1'), { then: 'sandbox', sandbox: { [label]: clone } })
    expect(run.outcome).toEqual({ status: 'returned', output: 7 })
  })
})

it('is a file for clients of libsql that promise', async () => {
  await using files = await makeFiles()
  const { real, clone } = files
  const ofClient = async (): Promise<unknown> => {
    const client = createClient({ url: `file:${real}` })
    const { rows, columns } = await client.execute({ sql: 'SELECT id, total AS t FROM orders WHERE id = ?', args: ['ord_1'] })
    const batch = await client.batch(["INSERT INTO orders VALUES ('ord_3', 3, NULL)", 'SELECT count(*) AS n FROM orders'], 'write')
    client.close()
    return [rows.map((row) => ({ ...row })), columns, batch[1]?.rows[0]?.['n']]
  }
  const ofPromises = async (): Promise<unknown> => {
    const database = new PromisedLibsql(real, {})
    const statement = await database.prepare('SELECT total FROM orders WHERE id = ?')
    const row = (await statement.get('ord_1')) as { readonly total: number }
    return row.total
  }
  for (const [agent, output] of [
    [ofPromises, 7],
    [ofClient, [[{ id: 'ord_1', t: 7 }], ['id', 't'], 2]],
  ] as const) {
    const { trace } = await recordRun<unknown>(agent)
    const run = await fork(trace, agent, { at: 1, sandbox: { libsql: clone }, route: { libsql: 'run' } })
    expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output }])
  }
  expect(totalsIn(clone)).toEqual([7, 3])
})

it.each(drivers)('asks nothing that would reach another file: %s', async (label, open) => {
  await using files = await makeFiles()
  const { real, clone } = files
  for (const sql of [`ATTACH '${real}' AS other`, `VACUUM INTO '${real}-copy'`]) {
    const agent = async (): Promise<unknown> => {
      const database = open(real)
      try {
        database.exec(sql)
        return 'asked'
      } catch (error) {
        return (error as Error).message
      } finally {
        database.close()
      }
    }
    const { trace } = await recordRun(async () => 1)
    const run = await fork(trace, agent, { then: 'sandbox', sandbox: { [label]: { url: clone, rollback: true } } })
    expect(run.outcome).toMatchObject({ output: expect.stringContaining('A sandbox does not run ATTACH or VACUUM INTO') as string })
    expect(existsSync(`${real}-copy`)).toBe(false)
  }
})

it('gives pragmas, bytes and errors as the driver does, also when the fork is replayed', async () => {
  await using files = await makeFiles()
  const { real, clone } = files
  const agent = async (): Promise<unknown> => {
    const database = new BetterSqlite(real)
    const set = database.pragma('user_version = 7')
    const { note } = database.prepare('SELECT note FROM orders').get() as { readonly note: Buffer }
    const client = createClient({ url: `file:${real}` })
    const failed: unknown = await client.execute('SELECT a FROM nowhere').catch((error: unknown) => (error as Error).message)
    const { rows } = await client.execute('SELECT note FROM orders')
    database.close()
    client.close()
    return [set, note.toString('hex'), failed, rows[0]?.['note']?.constructor.name]
  }
  const { trace } = await recordRun(async () => 1)
  const sandbox = { 'better-sqlite3': clone, libsql: clone }
  const run = await fork(trace, agent, { then: 'sandbox', sandbox })
  expect(run.outcome).toEqual({ status: 'returned', output: [[], '01ff', expect.stringContaining('no such table'), 'ArrayBuffer'] })
  const replayed = await replay(run.toTrace(), agent)
  expect([replayed.divergences, replayed.outcome]).toEqual([[], run.outcome])
})

it.each([
  [{ url: 'clone.db', rollback: 'true' }, 'rollback" has to be true or false, got "true".'],
  [{ path: 'clone.db' }, 'path" is not known'],
  [new URL('file:///clone.db'), 'has to be a file, or { url, rollback }.'],
  ['', 'has to be the file of a database. There is no file at'],
])('refuses %o as a sandbox', async (given, message) => {
  const { trace } = await recordRun(async () => 1)
  await expect(fork(trace, async () => 1, { at: 1, sandbox: { sqlite: given } })).rejects.toThrow(message)
})

it('names a file that is not there', async () => {
  const { trace } = await recordRun(async () => 1)
  await expect(fork(trace, async () => 1, { at: 1, sandbox: { sqlite: 'no-such.db' } })).rejects.toThrow(
    'fork: the option "sandbox.sqlite" has to be the file of a database. There is no file at ',
  )
})
