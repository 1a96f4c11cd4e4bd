import { DatabaseSync } from 'node:sqlite'
import BetterSqlite from 'better-sqlite3'
import { expect, it } from 'vitest'
import { replay } from '../../src/replay/replay.ts'
import { tool } from '../../src/run/tool.ts'
import { wrapClient } from '../../src/run/wrap-client/wrap-client.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { recordRun } from '../support/record-run.ts'

/** A client that counts what reaches it. */
interface Counted<Client> {
  readonly client: Client
  readonly calls: string[]
}

function database(): Counted<DatabaseSync> {
  const calls: string[] = []
  const client = new DatabaseSync(':memory:')
  client.exec('CREATE TABLE orders (id TEXT, total REAL)')
  const prepare = client.prepare.bind(client)
  client.prepare = (sql: string) => (calls.push(sql), prepare(sql))
  return { client: wrapClient('db', client), calls }
}

interface Replayed {
  readonly run: { readonly status: string; readonly output?: unknown; readonly error?: unknown }
  /** Cause and step of what differs. */
  readonly found: readonly string[]
}

async function replayed(trace: Trace, agent: () => unknown): Promise<Replayed> {
  const run = await replay(trace, agent)
  return { run: run.outcome, found: run.divergences.map(({ cause, name }) => `${cause} ${name ?? ''}`.trim()) }
}

/** Those of the wrapped client; what its body asks the database is a step of the body. */
const stepsOf = ({ steps }: Trace): Trace['steps'] => steps.filter(({ owner }) => owner === 0)
const namesOf = (trace: Trace): string[] => stepsOf(trace).map(({ name }) => name)

it('answers the statements of an in-process database', async () => {
  const { client, calls } = database()
  const agent = () => {
    client.prepare('INSERT INTO orders VALUES (?, ?)').run('ord_1', 12.5)
    return client.prepare('SELECT total FROM orders WHERE id = ?').get('ord_1')
  }
  const { trace, output } = await recordRun(agent)
  expect(output).toMatchObject({ total: 12.5 })
  expect(namesOf(trace)).toEqual(['db.prepare', 'db.prepare.run', 'db.prepare', 'db.prepare.get'])
  expect(stepsOf(trace)[3]?.input).toEqual({ on: 'SELECT total FROM orders WHERE id = ?', args: 'ord_1' })
  calls.length = 0
  const { run, found } = await replayed(trace, agent)
  expect([found, calls]).toEqual([[], []])
  expect(run.output).toEqual({ total: 12.5 })
})

it('goes red when a different statement is sent', async () => {
  const { client } = database()
  const agent = (first: boolean) => () => {
    const [count, sum] = [client.prepare('SELECT count(*) AS n FROM orders'), client.prepare('SELECT 0 AS n FROM orders')]
    return (first ? count : sum).get()
  }
  const { trace } = await recordRun(agent(true))
  expect((await replayed(trace, agent(false))).found[0]).toBe('input db.prepare.get')
})

it('makes steps of a statement that was prepared before any run', async () => {
  const { client } = database()
  const count = client.prepare('SELECT count(*) AS n FROM orders')
  const { trace } = await recordRun(() => count.get()?.['n'])
  expect(namesOf(trace)).toEqual(['db.prepare.get'])
  const { run, found } = await replayed(trace, () => count.get()?.['n'])
  expect([found, run.output]).toEqual([[], 0])
})

it('reads the rows of an iterator one by one', async () => {
  const { client } = database()
  for (const id of ['a', 'b']) client.prepare('INSERT INTO orders VALUES (?, 1)').run(id)
  const agent = () => [...client.prepare('SELECT id FROM orders').iterate()].map((row) => row['id'])
  const { trace, output } = await recordRun(agent)
  expect(output).toEqual(['a', 'b'])
  expect(namesOf(trace)).toEqual(['db.prepare', 'db.prepare.iterate', ...Array<string>(3).fill('db.prepare.iterate.next')])
  const { run, found } = await replayed(trace, agent)
  expect([found, run.output]).toEqual([[], ['a', 'b']])
})

class Pipeline {
  readonly #commands: string[] = []
  get length(): number {
    return this.#commands.length
  }
  set(key: string): this {
    this.#commands.push(key)
    return this
  }
  async exec(): Promise<string[]> {
    return this.#commands.map((command) => `OK ${command}`)
  }
}

it('knows an object that gives itself', async () => {
  const redis = wrapClient('redis', { pipeline: () => new Pipeline() })
  const agent = async () => {
    const pipeline = redis.pipeline()
    const isSame = pipeline.set('a').set('b') === pipeline
    return [isSame, pipeline.length, await pipeline.exec()]
  }
  const { trace, output } = await recordRun(agent)
  expect(output).toEqual([true, 2, ['OK a', 'OK b']])
  expect(namesOf(trace)).toEqual([
    'redis.pipeline',
    'redis.pipeline.set',
    'redis.pipeline.set',
    'redis.pipeline.length',
    'redis.pipeline.exec',
  ])
  const { run, found } = await replayed(trace, agent)
  expect([found, run.output]).toEqual([[], output])
})

class Result {
  readonly rows = [{ id: 'ord_1' }]
  readonly rowCount = 1
  readonly parsers = [Number]
  readonly release = (): string => 'released'
  parseRow(row: string): string {
    return `parsed ${row}`
  }
}

it('keeps the data of a result with functions in it', async () => {
  const pool = wrapClient('db', { query: async (_sql: string) => new Result() })
  const agent = async () => {
    const result = await pool.query('SELECT 1')
    return [result.rows, result.rowCount, result.parseRow('x'), result.release(), JSON.stringify(result), result.constructor.name]
  }
  const { trace, output } = await recordRun(agent)
  const { run, found } = await replayed(trace, agent)
  expect([found, run.output]).toEqual([[], output])
})

it('throws where a place is read that could not be kept', async () => {
  class Socket {
    write(): void {}
  }
  class Client {
    readonly host = 'db.example'
    readonly socket = new Socket()
    async query(sql: string): Promise<string> {
      return `rows of ${sql}`
    }
  }
  const pool = wrapClient('pool', { connect: async () => new Client() })
  const agent = (reads: boolean) => async () => {
    const client = await pool.connect()
    if (reads) client.socket.write()
    return [client.host, await client.query('SELECT 1')]
  }
  const { trace } = await recordRun(agent(false))
  expect((await replayed(trace, agent(false))).found).toEqual([])
  const { run } = await replayed(trace, agent(true))
  expect(String(run.error)).toContain('The trace does not hold $.socket of the result of pool.connect')
  expect(trace.rows.filter(({ kind }) => kind === 'note')).toEqual([])
  const noted = await recordRun(agent(true))
  expect(noted.trace.rows).toContainEqual(
    expect.objectContaining({ kind: 'note', what: 'unkept-value', where: expect.stringContaining('socket') }),
  )
})

it('begins a query that is put together by calls where it is awaited', async () => {
  const asked: string[] = []
  class Query implements PromiseLike<string> {
    readonly #parts: string[] = []
    where(part: string): this {
      this.#parts.push(part)
      return this
    }
    // oxlint-disable-next-line unicorn/no-thenable -- what query builders are
    then<A = string, B = never>(
      resolve?: ((value: string) => A | PromiseLike<A>) | null,
      reject?: ((error: unknown) => B | PromiseLike<B>) | null,
    ): Promise<A | B> {
      const sql = this.#parts.join(' AND ')
      asked.push(sql)
      return Promise.resolve(`rows of ${sql}`).then(resolve, reject)
    }
  }
  const knex = wrapClient('knex', { table: (_name: string) => new Query() })
  const agent = async () => await knex.table('orders').where('id = 1').where('total > 2')
  const { trace, output } = await recordRun(agent)
  expect(output).toBe('rows of id = 1 AND total > 2')
  expect([namesOf(trace), asked]).toEqual([
    ['knex.table', 'knex.table.where', 'knex.table.where', 'knex.table.then'],
    ['id = 1 AND total > 2'],
  ])
  const { run, found } = await replayed(trace, agent)
  expect([found, run.output, asked.length]).toEqual([[], output, 1])
})

class Transaction {
  readonly statements: string[] = []
  async insert(row: string): Promise<number> {
    this.statements.push(row)
    return this.statements.length
  }
}

class Database {
  readonly committed: string[] = []
  async transaction<Result>(body: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    const transaction = new Transaction()
    await new Promise((resolve) => setTimeout(resolve, 2))
    const result = await body(transaction)
    await new Promise((resolve) => setTimeout(resolve, 2))
    this.committed.push(...transaction.statements)
    return result
  }
}

it('calls the function of a transaction as it was called', async () => {
  const real = new Database()
  const db = wrapClient('db', real)
  const agent = (rows: readonly string[]) => async () =>
    await db.transaction(async (transaction) => {
      let count = 0
      for (const row of rows) count = await transaction.insert(row)
      return `${count} rows`
    })
  const { trace, output } = await recordRun(agent(['a', 'b']))
  expect([output, real.committed]).toEqual(['2 rows', ['a', 'b']])
  expect(namesOf(trace)).toEqual([
    'db.transaction',
    'db.transaction.callback',
    'db.transaction.callback',
    'db.transaction.insert',
    'db.transaction.insert',
  ])
  const { run, found } = await replayed(trace, agent(['a', 'b']))
  expect([found, run.output, real.committed.length]).toEqual([[], '2 rows', 2])
  expect((await replayed(trace, agent(['a', 'c']))).found[0]).toBe('input db.transaction.insert')
  expect((await replayed(trace, agent(['a']))).found[0]).toBe('missing-call db.transaction.insert')
})

it('fails as the function of a transaction does', async () => {
  class OutOfStock extends Error {}
  const db = wrapClient('db', new Database())
  const agent = async () => {
    try {
      return await db.transaction(async (transaction) => {
        await transaction.insert('a')
        throw new OutOfStock('none left')
      })
    } catch (error) {
      return error instanceof OutOfStock ? `rolled back: ${error.message}` : 'another error'
    }
  }
  const { trace, output } = await recordRun(agent)
  expect(output).toBe('rolled back: none left')
  const { run, found } = await replayed(trace, agent)
  expect([found, run.output]).toEqual([[], output])
})

it('calls the callback of an older interface', async () => {
  const db = wrapClient('db', {
    query(sql: string, callback: (error: Error | null, rows?: readonly string[]) => void): void {
      setTimeout(() => callback(null, [`row of ${sql}`]), 2)
    },
  })
  const agent = async () =>
    await new Promise((resolve, reject) => db.query('SELECT 1', (error, rows) => (error === null ? resolve(rows) : reject(error))))
  const { trace, output } = await recordRun(agent)
  const { run, found } = await replayed(trace, agent)
  expect([found, run.output]).toEqual([[], output])
})

it('notes a client that calls a function before it returns', async () => {
  const db = wrapClient('db', { transaction: (body: () => string) => body() })
  const { trace, output } = await recordRun(() => db.transaction(() => 'done'))
  expect(output).toBe('done')
  expect(trace.rows).toContainEqual(
    expect.objectContaining({ kind: 'note', what: 'unkept-value', where: expect.stringContaining("wrap the whole call: external('…'") }),
  )
})

it('passes what a call gave on to the client as it is', async () => {
  const query = { sql: 'SELECT 1', run: () => 1 }
  const seen: unknown[] = []
  const db = wrapClient('db', { query: () => query, all: (queries: readonly unknown[]) => (seen.push(...queries), queries.length) })
  await recordRun(() => db.all([db.query(), db.query()]))
  expect(seen).toEqual([query, query])
  expect(seen[0]).toBe(query)
})

it('answers better-sqlite3: prepare().get(), all(), pluck, and its errors', async () => {
  const real = new BetterSqlite(':memory:')
  real.exec("CREATE TABLE orders (id TEXT PRIMARY KEY, total REAL); INSERT INTO orders VALUES ('ord_1', 12.5), ('ord_2', 3)")
  const client = wrapClient('db', real)
  const agent = () => {
    const row = client.prepare('SELECT total FROM orders WHERE id = ?').get('ord_1')
    const ids = client.prepare('SELECT id FROM orders ORDER BY id').pluck().all()
    const { changes } = client.prepare('UPDATE orders SET total = total + 1 WHERE id = ?').run('ord_2')
    try {
      client.prepare('INSERT INTO orders VALUES (?, 1)').run('ord_1')
    } catch (error) {
      return [row, ids, changes, (error as { code?: string }).code]
    }
    return 'inserted twice'
  }
  const { trace, output } = await recordRun(agent)
  expect(output).toEqual([{ total: 12.5 }, ['ord_1', 'ord_2'], 1, 'SQLITE_CONSTRAINT_PRIMARYKEY'])
  const { run, found } = await replayed(trace, agent)
  expect([found, run.output]).toEqual([[], output])
  expect(real.prepare('SELECT total FROM orders WHERE id = ?').get('ord_2')).toEqual({ total: 4 })
})

it('gives back a Buffer as a Buffer, also where something in it was redacted', async () => {
  const files = {
    read: async (name: string) => Buffer.from(`of ${name}: sk-proj-${'Ab3x'.repeat(12)}`),
    sum: async () => Buffer.from('ff00', 'hex'),
  }
  const agent = async () => {
    const client = wrapClient('files', files)
    const read = [await client.read('a'), await client.sum(), await tool('blank', {}, async () => Buffer.alloc(2))()]
    return read.map((bytes) => [Buffer.isBuffer(bytes), bytes.toString('latin1').slice(0, 5)])
  }
  const { trace, output } = await recordRun(agent)
  expect(output).toEqual([
    [true, 'of a:'],
    [true, '\u00ff\u0000'],
    [true, '\u0000\u0000'],
  ])
  const { run, found } = await replayed(trace, agent)
  expect([found, run.output]).toEqual([[], output])
})

it('compares a Buffer that is passed on with its bytes, as older traces have them', async () => {
  const sums = wrapClient('sums', {
    of: async (text: string): Promise<Uint8Array> => Buffer.from(text),
    keep: async (_sum: Uint8Array) => true,
  })
  const agent = async (change: (sum: Uint8Array) => Uint8Array) => await sums.keep(change(await sums.of('hi')))
  const { trace } = await recordRun(() => agent((sum) => sum))
  expect((await replayed(trace, () => agent((sum) => sum))).found).toEqual([])
  expect((await replayed(trace, () => agent((sum) => Uint8Array.from(sum)))).found).toEqual([])
  expect((await replayed(trace, () => agent(() => Buffer.from('ho')))).found).toEqual(['input sums.keep'])
})
