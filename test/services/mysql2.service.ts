import { AsyncResource } from 'node:async_hooks'
import { Readable } from 'node:stream'
import callbacks from 'mysql2'
import mysql from 'mysql2/promise'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Gate, startGate } from '../support/gate.ts'
import { holdDriver } from '../support/hold-driver.ts'
import { recordRun } from '../support/record-run.ts'
import { replay } from '../../src/replay/replay.ts'
import { currentRun } from '../../src/run/current-run.ts'
import { fork } from '../../src/travel/fork.ts'
import { type Service, startMariadb } from '../support/services.ts'

let server: Service
let gate: Gate
beforeAll(async () => {
  server = await startMariadb()
  gate = await startGate(server.port)
  const setup = await connection()
  await setup.query(`CREATE TABLE orders (id varchar(20) PRIMARY KEY, total decimal(10, 2), placed datetime(6), items json, paid boolean)`)
  await setup.query(
    `INSERT INTO orders VALUES ('ord_1', 12.50, '2026-01-02 03:04:05.000006', '[{"sku":"a"}]', true), ('ord_2', 3, NULL, NULL, NULL)`,
  )
  await setup.end()
})
beforeEach(() => gate.open())
afterAll(async () => {
  await gate[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const options = (more: mysql.PoolOptions = {}): mysql.PoolOptions => ({
  port: gate.port,
  host: '127.0.0.1',
  user: 'agent',
  database: 'test',
  ...more,
})
const connection = (more: mysql.ConnectionOptions = {}): Promise<mysql.Connection> => mysql.createConnection(options(more))
const pool = (more: mysql.PoolOptions = {}): mysql.Pool => mysql.createPool(options(more))
const close = (db: { end(): Promise<void> }): Promise<void> => db.end()

it.each<['query' | 'execute', string]>([
  ['query', 'SELECT * FROM orders'],
  ['execute', 'SELECT * FROM orders'],
  ['query', 'SELECT 1 / 0 AS n'],
  ['query', 'SHOW TABLES'],
])('replays the bytes that the driver leaves in columns: %s %s', async (how, sql) => {
  const agent = async (db: mysql.Connection): Promise<string> => JSON.stringify(await (how === 'query' ? db.query(sql) : db.execute(sql)))
  await holdDriver({ gate, open: connection, close, agent }, 1)
})

it('replays the columns of several statements, but for the chunks in which they arrived', async () => {
  const withoutChunks = (key: string, value: unknown): unknown => (/^_(?:buf|\w+Start)$/.test(key) ? undefined : value)
  const agent = async (db: mysql.Connection): Promise<string> =>
    JSON.stringify(await db.query('SET autocommit = 0; SELECT * FROM orders'), withoutChunks)
  await holdDriver({ gate, open: () => connection({ multipleStatements: true }), close, agent })
})

it('replays a query: rows, fields and types', async () => {
  const { trace } = await holdDriver({
    gate,
    open: pool,
    close,
    agent: async (db) => {
      const [rows, fields] = await db.query('SELECT * FROM orders WHERE id = ?', ['ord_1'])
      const [prepared] = await db.execute('SELECT * FROM orders WHERE id = ?', ['ord_1'])
      return [rows, fields.map(({ name, type, table }) => [name, type, table]), prepared]
    },
  })
  expect(trace.steps.map(({ name, input, effect }) => [name, input, effect])).toEqual([
    ['mysql2 SELECT', { sql: 'SELECT * FROM orders WHERE id = ?', values: ['ord_1'] }, 'read'],
    ['mysql2 SELECT', { sql: 'SELECT * FROM orders WHERE id = ?', values: ['ord_1'] }, 'read'],
  ])
  expect(trace.steps.map(({ output }) => output)).toMatchObject([
    { rows: [['ord_1', '12.50', '2026-01-02 03:04:05.000006', '[{"sku":"a"}]', '1']] },
    { rows: [['ord_1', '12.50', '2026-01-02 03:04:05.000006', '[{"sku":"a"}]', '1']] },
  ])
})

it('keeps the columns that the agent returns without the packet that they came in', async () => {
  const db = pool()
  const agent = (): Promise<unknown> => db.query("SELECT id, 'of the row' AS text FROM orders")
  const { trace, text } = await recordRun(agent)
  gate.shut()
  expect((await replay(trace, agent)).divergences).toEqual([])
  gate.open()
  await close(db)
  expect(trace.end).toMatchObject({ output: [expect.anything(), [{ name: 'id', type: 253 }, { name: 'text' }]] })
  const bytes = [...text.matchAll(/"bytes":"([^"]*)"/g)].map(([, encoded = '']) => Buffer.from(encoded, 'base64').toString('latin1'))
  expect(bytes.join()).not.toContain('of the row')
  expect(Object.keys((trace.end as unknown as { readonly output: [unknown, object[]] }).output[1][0] ?? {})).not.toContain('_buf')
})

it('replays a transaction that fails, with the error of the driver', async () => {
  const { trace } = await holdDriver({
    gate,
    open: () => connection(),
    close,
    agent: async (db) => {
      await db.beginTransaction()
      try {
        await db.execute('INSERT INTO orders (id) VALUES (?)', ['ord_1'])
        return 'twice'
      } catch (error) {
        await db.rollback()
        return [error instanceof Error, Object.entries(error as Error), (error as Error).message]
      }
    },
  })
  expect(trace.steps.map(({ name, input, effect }) => [name, input, effect])).toEqual([
    ['mysql2 START', { sql: 'START TRANSACTION', transaction: 1 }, 'read'],
    ['mysql2 INSERT', { sql: 'INSERT INTO orders (id) VALUES (?)', values: ['ord_1'], transaction: 1 }, 'write'],
    ['mysql2 ROLLBACK', { sql: 'ROLLBACK', transaction: 1 }, 'read'],
  ])
})

const types = `CREATE TABLE IF NOT EXISTS kinds (n int AUTO_INCREMENT PRIMARY KEY, tiny tinyint, utiny tinyint unsigned, small smallint, medium mediumint,
  big bigint, ubig bigint unsigned, f float, d double, dec1 decimal(30, 10), day date, moment datetime, exact timestamp(6) NULL, clock time, clock6 time(6),
  y year, bits bit(12), txt text CHARACTER SET utf8mb4, latin varchar(50) CHARACTER SET latin1, bin varbinary(300), blb longblob, js json, choice enum('a', 'b'), many set('x', 'y'), place point)`
const kinds = `(NULL, -128, 255, -32768, -8388608, -9223372036854775808, 18446744073709551615, 1.5e-10, 0.1, 12345678901234567890.0123456789, '2026-02-28',
  '2026-02-28 23:59:59', '2026-02-28 23:59:59.123456', '-838:59:59', '12:00:00.5', 1999, b'101010101010', 'żółć 🦊', 'Zürich', X'00FF80', X'DEADBEEF',
  '{"a": [1, 2.5, null]}', 'b', 'x,y', POINT(1, 2))`

it('replays values of every type, in both protocols, under every option', async () => {
  const client = await connection()
  await client.query(types)
  const nothing = `(NULL${', NULL'.repeat(24)})`
  const zero = `(NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, '2026-01-01', '2026-01-01', '2026-01-01', '00:00:00', '00:00:00', 0, 0, '', '', '', '', '0', 'a', '', POINT(0, 0))`
  await client.query(`INSERT INTO kinds VALUES ${kinds}, ${nothing}, ${zero}`)
  await client.end()
  const variants: mysql.ConnectionOptions[] = [
    {},
    { rowsAsArray: true },
    { dateStrings: true, supportBigNumbers: true, bigNumberStrings: true },
    { supportBigNumbers: true, decimalNumbers: true, timezone: 'Z', jsonStrings: true },
    { nestTables: '_' },
    { typeCast: (field, next) => (field.type === 'TINY' ? field.string() : next()) },
    { charset: 'latin1' },
    { disableEval: true },
  ]
  const agent = async (db: mysql.Connection) => {
    const sql = 'SELECT * FROM kinds ORDER BY n'
    return [(await db.query(sql))[0], (await db.execute(sql))[0], (await db.query({ sql, nestTables: true }))[0]]
  }
  for (const variant of variants) {
    const { trace } = await holdDriver({ gate, open: () => connection(variant), close, agent }, 1)
    const [text, binary] = trace.steps.map(({ output }) => (output as { readonly rows: unknown[][] }).rows)
    // Numbers are written in another way, zero times and midnights shorter.
    const differ = text?.flatMap((row, at) => row.filter((value, column) => String(value) !== String(binary?.[at]?.[column])))
    expect(differ).toEqual(['0.00000000015', '2026-01-01 00:00:00', '2026-01-01 00:00:00.000000', '00:00:00', '00:00:00.000000', '0000'])
  }
})

it('replays results of writes, multiple statements, and procedures', async () => {
  const setup = await connection()
  await setup.query('CREATE TABLE counted (n bigint unsigned AUTO_INCREMENT PRIMARY KEY, label varchar(20))')
  await setup.query('CREATE PROCEDURE twice(IN low int) BEGIN SELECT 1 AS a; SELECT id, total FROM orders WHERE total > low; END')
  await setup.end()
  const { trace } = await holdDriver({
    gate,
    open: () => connection({ multipleStatements: true }),
    close,
    agent: async (db) => {
      const [inserted] = await db.query('INSERT INTO counted (label) VALUES (?), (?)', ['a', 'b'])
      const [big] = await db.execute('INSERT INTO counted VALUES (9223372036854775900, ?)', ['big'])
      const [updated] = await db.query('UPDATE counted SET label = ? WHERE label = ?', ['c', 'a'])
      const [several, fields] = await db.query('SELECT 1 AS a; SET @x = 1; SELECT 2 AS b, 3 AS c; DELETE FROM counted')
      const [called] = await db.query('CALL twice(?)', [5])
      const [prepared] = await db.execute('CALL twice(?)', [5])
      const [warned] = await db.query("SELECT CAST('12x' AS int) AS n")
      const [changed] = await db.query('USE test')
      return [inserted, big, updated, several, fields.length, called, prepared, warned, changed]
    },
  })
  expect(trace.steps.map(({ name, effect }) => [name, effect])).toEqual([
    ['mysql2 INSERT', 'write'],
    ['mysql2 INSERT', 'write'],
    ['mysql2 UPDATE', 'write'],
    ['mysql2 DELETE', 'write'],
    ['mysql2 CALL', 'write'],
    ['mysql2 CALL', 'write'],
    ['mysql2 SELECT', 'read'],
    ['mysql2 USE', 'read'],
  ])
})

it('replays prepared statements, named placeholders, pings, resets and changed users', async () => {
  const { trace } = await holdDriver({
    gate,
    open: () => connection({ namedPlaceholders: true }),
    close,
    agent: async (db) => {
      const statement = await db.prepare('SELECT total, ? AS given FROM orders WHERE id = ?')
      const answers = [await statement.execute(['x', 'ord_1']), await statement.execute([null, 'ord_2'])]
      await statement.close()
      const named = await db.query('SELECT :a AS a, :b AS b', { a: 1, b: "it's" })
      const prepared = await db.execute('SELECT :a + :a AS sum', { a: 2 })
      const again = await db.execute('SELECT :a + :a AS sum', { a: 3 })
      db.unprepare('SELECT ? + ? AS sum')
      await db.ping()
      await db.changeUser({ database: 'mysql' })
      const changed = await db.query('SELECT DATABASE() AS db')
      await db.reset()
      const failed = await db.prepare('SELECT nothing FROM nowhere').catch(describe)
      return [answers, named, prepared, again, changed, failed].map((each) =>
        Array.isArray(each) ? each.map((one: unknown) => one) : each,
      )
    },
  })
  expect(trace.steps.map(({ name, input }) => [name, input])).toEqual([
    ['mysql2 prepare', { sql: 'SELECT total, ? AS given FROM orders WHERE id = ?' }],
    ['mysql2 SELECT', { sql: 'SELECT total, ? AS given FROM orders WHERE id = ?', values: ['x', 'ord_1'] }],
    ['mysql2 SELECT', { sql: 'SELECT total, ? AS given FROM orders WHERE id = ?', values: [null, 'ord_2'] }],
    ['mysql2 SELECT', { sql: 'SELECT :a AS a, :b AS b', values: { a: 1, b: "it's" } }],
    ['mysql2 SELECT', { sql: 'SELECT :a + :a AS sum', values: { a: 2 } }],
    ['mysql2 SELECT', { sql: 'SELECT :a + :a AS sum', values: { a: 3 } }],
    ['mysql2 changeUser', { user: 'agent', database: 'mysql' }],
    ['mysql2 SELECT', { sql: 'SELECT DATABASE() AS db', database: 2 }],
    ['mysql2 reset', {}],
    ['mysql2 prepare', { sql: 'SELECT nothing FROM nowhere' }],
  ])
})

it('replays streams, paused, left early and that fail, and large results', async () => {
  const numbers = 'SELECT seq AS n, REPEAT("x", 50) AS filler FROM seq_1_to_10000'
  const { trace } = await holdDriver({
    gate,
    open: () => callbacks.createPool({ ...options(), multipleStatements: true } as callbacks.PoolOptions),
    close: (db) => db.promise().end(),
    agent: async (db) => {
      let [sum, asked] = [0, 0]
      for await (const row of db.query(numbers).stream({ highWaterMark: 10 }) as AsyncIterable<{ readonly n: number }>) {
        sum += row.n
        if (row.n % 2500 === 0) asked += ((await db.promise().query('SELECT 1 AS one'))[0] as unknown[]).length
        if (row.n === 5000) break
      }
      const whole = await db.promise().query<callbacks.RowDataPacket[]>(numbers)
      const executed = await db.promise().execute<callbacks.RowDataPacket[]>(numbers)
      const events: unknown[] = []
      const client = await new Promise<callbacks.PoolConnection>((resolve) => db.getConnection((_error, given) => resolve(given)))
      const query = client.query('SELECT 1 AS a UNION SELECT 2; INSERT INTO orders (id) VALUES ("ord_3"); SELECT nothing')
      for (const name of ['fields', 'result', 'error'])
        query.on(name, (value: unknown, index: unknown) =>
          events.push([name, value instanceof Error ? describe(value) : Array.isArray(value) ? value.length : value, index]),
        )
      await new Promise((resolve) => query.on('end', resolve))
      await db.promise().query('DELETE FROM orders WHERE id = "ord_3"')
      const rows: unknown[] = []
      const executing = client.execute('SELECT id FROM orders WHERE id < ? ORDER BY id', ['p'])
      for await (const row of executing.stream()) rows.push(row)
      client.release()
      return [sum, asked, whole[0].length, whole[0][9999], executed[0].at(-1), events, rows]
    },
  })
  expect(trace.steps.length).toBeLessThan(60)
  expect(trace.steps.filter(({ input }) => 'batch' in (input as object)).length).toBeGreaterThan(3)
})

it('gives each of eight runs on one pool, opened before, its own steps', async () => {
  for (const connectionLimit of [10, 2, 1]) {
    const db = pool({ connectionLimit })
    await db.query('SELECT 1')
    const agent = (run: number) => async (client: mysql.Pool) => {
      const [one] = await client.query('SELECT ? AS run, 1 AS n', [run])
      const several = await Promise.all([2, 3, 4].map((n) => client.execute(`SELECT ? AS run, ${n} AS n`, [run])))
      const rows: unknown[] = []
      for await (const row of client.pool.query('SELECT ? AS run, seq AS n FROM seq_1_to_3', [run]).stream()) rows.push(row)
      return [one, several.map(([each]) => each), rows]
    }
    const runs = await Promise.all(Array.from({ length: 8 }, (_, run) => recordRun(() => agent(run)(db))))
    await db.end()
    gate.shut()
    for (const [run, { trace, output, text }] of runs.entries()) {
      expect(trace.steps.map(({ input }) => (input as { readonly values: unknown }).values)).toEqual(Array.from({ length: 5 }, () => [run]))
      expect(text).not.toContain('unrecorded-contact')
      const fresh = pool({ connectionLimit })
      const replayed = await replay(trace, () => agent(run)(fresh))
      expect([replayed.divergences, replayed.outcome]).toEqual([[], { status: 'returned', output }])
      await fresh.end()
    }
    expect(gate.refused).toBe(0)
    gate.open()
  }
})

it('gives each of eight runs on one connection, opened before, its own steps', async () => {
  const db = await connection()
  const agent = (run: number) => async (client: mysql.Connection) => {
    const both = await Promise.all([client.query('SELECT ? AS run, 1 AS n', [run]), client.execute('SELECT ? AS run, 2 AS n', [run])])
    return both.map(([rows]) => rows)
  }
  const runs = await Promise.all(Array.from({ length: 8 }, (_, run) => recordRun(() => agent(run)(db))))
  await db.end()
  gate.shut()
  for (const [run, { trace, output }] of runs.entries()) {
    expect(trace.steps.map(({ input }) => (input as { readonly values: unknown }).values)).toEqual([[run], [run]])
    const replayed = await replay(trace, async () => agent(run)(await connection()))
    expect([replayed.divergences, replayed.outcome]).toEqual([[], { status: 'returned', output }])
  }
  expect(gate.refused).toBe(0)
  gate.open()
})

it('goes red at the statement that changed, and flags a write that is made twice', async () => {
  const agent =
    (sql: string, times = 1) =>
    async (db: mysql.Pool) => {
      await db.query('SELECT 1')
      for (let time = 0; time < times; time += 1) await db.execute(sql, ['ord_9'])
    }
  const held = await holdDriver({ gate, open: pool, close, agent: agent('DELETE FROM orders WHERE id = ?', 2) })
  expect(held.text).toContain('repeated-side-effect')
  expect((await held.replay(agent('DELETE FROM orders WHERE id <> ?', 2) as never)).divergences).toMatchObject([
    { cause: 'input', step: 2, name: 'mysql2 DELETE' },
  ])
  expect((await held.replay(agent('DELETE FROM orders WHERE id = ?', 1) as never)).divergences).toMatchObject([
    { cause: 'missing-call', step: 3 },
  ])
})

it('goes red if a transaction is committed no longer, or twice', async () => {
  const agent = (commits: number) => async (db: mysql.Connection) => {
    await db.beginTransaction()
    await db.query('UPDATE orders SET paid = true WHERE id = "ord_2"')
    for (let time = 0; time < commits; time += 1) await db.commit()
  }
  const held = await holdDriver({ gate, open: () => connection(), close, agent: agent(1) })
  expect((await held.replay(agent(0) as never)).divergences).toMatchObject([{ cause: 'missing-call', step: 3, name: 'mysql2 COMMIT' }])
  expect((await held.replay(agent(2) as never)).divergences).toMatchObject([{ name: 'mysql2 COMMIT' }])
})

it('replays errors of every kind', async () => {
  const { trace } = await holdDriver({
    gate,
    open: () => callbacks.createPool({ ...options(), connectionLimit: 2 } as callbacks.PoolOptions),
    close: (db) => db.promise().end(),
    agent: async (db) => {
      const failures: unknown[] = []
      for (const sql of [
        'SELEC 1',
        'SELECT * FROM nowhere',
        'INSERT INTO orders (id) VALUES ("ord_1")',
        'SELECT "żółć" FROM nowhere',
        'SIGNAL SQLSTATE "45000" SET MESSAGE_TEXT = "own"',
      ])
        failures.push(await db.promise().query(sql).catch(describe), await db.promise().execute(sql).catch(describe))
      failures.push(await db.promise().query({ sql: 'SELECT SLEEP(0.3)', timeout: 20 }).catch(describe))
      failures.push(
        await db
          .promise()
          .execute('SELECT ?', [undefined] as never)
          .catch(describe),
      )
      failures.push(await new Promise((resolve) => db.query('SELECT nothing', (error) => resolve(describe(error as Error)))))
      failures.push(await new Promise((resolve) => db.query('SELECT nothing').on('error', (error) => resolve(describe(error)))))
      return failures
    },
  })
  expect(trace.steps.length).toBe(14)
})

it('replays what is not awaited, callbacks, binary parameters, and values that are code', async () => {
  const { trace } = await holdDriver({
    gate,
    open: () => callbacks.createConnection(options() as callbacks.ConnectionOptions),
    close: (db) => db.promise().end(),
    agent: async (db) => {
      const seen: unknown[] = []
      db.query('SELECT 1 AS n', (_error, rows) => seen.push(rows))
      db.execute('SELECT ? AS bytes', [Buffer.from([0, 128, 255])], (_error, rows) => seen.push(rows))
      db.query('SELECT ? AS raw, ? AS moment, ? AS nothing', [callbacks.raw('1 + 1'), new Date(0), null], (_error, rows) => seen.push(rows))
      db.query({ sql: 'SELECT ?? FROM orders WHERE id = ?', values: ['total', 'ord_1'], rowsAsArray: true }, (_error, rows) =>
        seen.push(rows),
      )
      db.query('SELECT 2 AS n', [], () => db.query('SELECT 3 AS n', (_error, rows) => seen.push(rows)))
      const statement = await new Promise<callbacks.PrepareStatementInfo>((resolve) =>
        db.prepare('SELECT ? + 1 AS n', (_error, given) => resolve(given)),
      )
      await new Promise((resolve) => statement.execute([5], (_error, rows) => resolve(seen.push(rows))))
      await new Promise((resolve) => db.ping(resolve))
      await db.promise().query("SET @text = 'żółć 🦊 \\0 \\\\'")
      const [[{ text }]] = (await db.promise().query('SELECT @text AS text')) as unknown as [[{ readonly text: string }]]
      return [seen, text]
    },
  })
  expect(trace.steps.map(({ input }) => input)).toContainEqual({
    sql: expect.stringMatching(/^SELECT 1 \+ 1 AS raw, '1970-01-01 .*NULL AS nothing$/),
  })
  expect(trace.steps.map(({ input }) => input)).toContainEqual({ sql: 'SELECT ? AS bytes', values: [new Uint8Array([0, 128, 255])] })
})

it('leaves no secret of rows, parameters and errors in the recording', async () => {
  const letters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
  const random = (length: number, seed: number): string =>
    Array.from({ length }, (_, at) => letters[(at * 17 + seed * 31 + at * at * 7) % letters.length]).join('')
  const secrets = [
    ...Array.from({ length: 8 }, (_, seed) => `sk-proj-${random(48, seed)}`),
    ...Array.from({ length: 8 }, (_, seed) => `anna.${random(6, seed).toLowerCase()}@mail-of-a-customer.com`),
    '4111111111111111',
    '5555555555554444',
    '378282246310005',
    '6011111111111117',
  ]
  const setup = await connection()
  await setup.query('CREATE TABLE secrets (n int AUTO_INCREMENT PRIMARY KEY, txt text, blb blob, num bigint, js json)')
  for (const secret of secrets)
    await setup.query('INSERT INTO secrets (txt, blb, num, js) VALUES (?, ?, ?, ?)', [
      `it is ${secret}`,
      Buffer.concat([Buffer.from([0, 255]), Buffer.from(secret)]),
      /^\d+$/.test(secret) ? secret : null,
      JSON.stringify({ deep: [secret] }),
    ])
  await setup.end()
  const agent = async () => {
    const db = await connection()
    for (const secret of secrets) {
      await db.query('SELECT * FROM secrets WHERE txt LIKE ?', [`%${secret}`])
      await db.execute('SELECT * FROM secrets WHERE txt LIKE ? OR blb = ?', [`%${secret}`, Buffer.from(secret)])
      await db.query(`SELECT "${secret}" FROM nowhere`).catch(() => undefined)
      await db.query(`SELECT \`${secret}\``).catch(() => undefined)
    }
    for await (const row of (db as unknown as { connection: callbacks.Connection }).connection.query('SELECT * FROM secrets').stream())
      void row
    await db.end()
  }
  const { text, trace } = await recordRun(agent)
  const bytes = [...text.matchAll(/"bytes":"([^"]+)"/g)]
    .map(([, base64]) => Buffer.from(base64 ?? '', 'base64').toString('latin1'))
    .join('\n')
  expect(bytes).not.toBe('')
  for (const secret of secrets) {
    expect(text).not.toContain(secret)
    expect(bytes).not.toContain(secret)
  }
  expect((await replay(trace, agent)).divergences).toEqual([])
})

it('records a client that the run itself opens, without its timers, and what fails before there is one', async () => {
  const agent = async () => {
    const db = await connection({ connectTimeout: 5000 })
    const [rows] = await db.query('SELECT 1 AS n')
    const few = pool({ connectionLimit: 1, maxIdle: 0, idleTimeout: 10 })
    few.pool.on('connection', (client) => client.query('SET SESSION group_concat_max_len = 2048'))
    const [own] = await few.query('SELECT 2 AS n')
    const client = await few.getConnection()
    client.release()
    await few.end()
    const closed = await few.query('SELECT 3').catch(describe)
    await db.end()
    const late = await db.query('SELECT 4').catch(describe)
    return [rows, own, closed, late]
  }
  const { trace, text, output } = await recordRun(agent)
  expect(text).not.toContain('unrecorded-contact')
  expect(trace.steps.map(({ input }) => (input as { readonly sql: string }).sql)).toEqual([
    'SELECT 1 AS n',
    'SELECT 2 AS n',
    undefined,
    'SELECT 3',
  ])
  expect(trace.rows.filter((row) => row.kind === 'timer' || row.kind === 'reads')).toEqual([])
  gate.shut()
  const replayed = await replay(trace, agent)
  expect([replayed.divergences, replayed.outcome]).toEqual([[], { status: 'returned', output }])
  expect(gate.refused).toBe(0)
  gate.open()
})

it('calls back that a client has ended where the recorded run was told, within the run', async () => {
  const agent = async () => {
    const told: unknown[] = []
    const push = (what: unknown): void => void told.push([what, currentRun() !== undefined, Math.random()])
    const db = callbacks.createConnection(options() as callbacks.ConnectionOptions)
    for (const sql of ['SELECT 1', 'SELECT SLEEP(0.02)', 'SELECT 3'])
      db.query(sql, (error: Error | null) => push(error === null ? sql : error.message))
    await new Promise<void>((resolve) => db.end((error) => resolve(push(error ?? 'has ended'))))
    await new Promise((resolve) => setImmediate(resolve))
    const few = callbacks.createPool({ ...options(), connectionLimit: 1 } as callbacks.PoolOptions)
    const ended = new Promise<void>((resolve) => {
      few.query('SELECT 4', () => {
        push('SELECT 4')
        few.end((error) => resolve(push(error ?? 'the pool has ended')))
        push('is ending')
      })
    })
    await ended
    return told
  }
  const { trace, output } = await recordRun(agent)
  expect(output.map((each) => (each as unknown[])[1])).not.toContain(false)
  gate.shut()
  const replayed = await replay(trace, agent)
  gate.open()
  expect([replayed.divergences, replayed.outcome]).toEqual([[], { status: 'returned', output }])
})

it('notes and refuses what it cannot replay', async () => {
  const agent = async () => {
    const db = callbacks.createConnection({
      ...options(),
      infileStreamFactory: () => Readable.from([Buffer.from('ord_7\n')]),
    } as callbacks.ConnectionOptions)
    await db.promise().query('CREATE TEMPORARY TABLE loaded (id varchar(20))')
    const result = await db
      .promise()
      .query("LOAD DATA LOCAL INFILE 'orders' INTO TABLE loaded")
      .catch((error: Error) => error.message)
    await db.promise().end()
    return typeof result === 'string' ? result : 'loaded'
  }
  const { trace, text, output } = await recordRun(agent)
  expect(output).toBe('loaded')
  expect(text).toContain('LOAD DATA LOCAL INFILE')
  const { divergences, outcome } = await replay(trace, agent)
  expect(divergences).toMatchObject([{ cause: 'unrecorded-contact' }])
  expect(outcome).not.toMatchObject({ output: 'loaded' })
})

it('replays a connection that is lost in the middle of a call', async () => {
  const agent = (port: number) => async () => {
    const db = await connection({ port })
    const few = pool({ port, connectionLimit: 1 })
    const [asleep, waiting, pooled] = await Promise.all([
      db.query('SELECT SLEEP(60)').catch(describe),
      db.execute('SELECT 2').catch(describe),
      few.query('SELECT SLEEP(60) AS pooled').catch(describe),
    ])
    const late = await db.query('SELECT 3').catch(describe)
    const again = await few.query('SELECT 4').catch(describe)
    db.destroy()
    await few.end()
    return [asleep, waiting, pooled, late, again]
  }
  const cut = await startGate(server.port)
  const recording = recordRun(agent(cut.port))
  const watch = await connection()
  const sleeping = async (): Promise<number> =>
    ((await watch.query('SELECT * FROM information_schema.processlist WHERE info LIKE "SELECT SLEEP%"'))[0] as unknown[]).length
  while ((await sleeping()) < 2) await new Promise(setImmediate)
  await cut[Symbol.asyncDispose]()
  await watch.end()
  const { trace, output, text } = await recording
  expect(text).not.toContain('unrecorded-contact')
  expect(trace.steps.map(({ error }) => error?.code)).toEqual([
    'PROTOCOL_CONNECTION_LOST',
    'PROTOCOL_CONNECTION_LOST',
    'PROTOCOL_CONNECTION_LOST',
    'ECONNREFUSED',
  ])
  const replayed = await replay(trace, agent(cut.port))
  expect([replayed.divergences, replayed.outcome]).toEqual([[], { status: 'returned', output }])
})

it('replays when the server is stopped', async () => {
  const own = await startMariadb()
  const agent = async () => {
    const db = await connection({ port: own.port })
    const [rows] = await db.query('SELECT 1 AS n')
    await db.end()
    return rows
  }
  const { trace, output } = await recordRun(agent)
  await own[Symbol.asyncDispose]()
  const replayed = await replay(trace, agent)
  expect([replayed.divergences, replayed.outcome]).toEqual([[], { status: 'returned', output }])
  // A connection that fails before anything is asked of it is in no step, and fails in a replay.
  const refused = (): Promise<unknown> => agent().catch((error: Error) => [error.message, (error as { readonly code?: string }).code])
  const failed = await recordRun(refused)
  expect([failed.text.includes('unrecorded-contact'), failed.output]).toEqual([false, [expect.any(String), 'ECONNREFUSED']])
  const again = await replay(failed.trace, refused)
  expect([again.divergences, again.outcome]).toEqual([[], { status: 'returned', output: failed.output }])
})

it('guards queries outside of the run', async () => {
  const db = pool()
  const { trace } = await recordRun(() => db.query('SELECT 1'))
  const outside: unknown[] = []
  gate.shut()
  const asked = Promise.withResolvers<unknown>()
  const ask = new AsyncResource('outside')
  const { divergences } = await replay(
    trace,
    async () => {
      await db.query('SELECT 1')
      ask.runInAsyncScope(() => {
        const calls = [db.query('SELECT 2'), db.execute('SELECT 2'), connection().then((own) => own.prepare('SELECT 2'))]
        asked.resolve(Promise.allSettled(calls).then((settled) => outside.push(...settled.map(({ status }) => status))))
      })
    },
    { guard: 'process' },
  )
  await asked.promise
  expect(outside).toEqual(['rejected', 'rejected', 'rejected'])
  expect(divergences).toMatchObject([{ cause: 'unrecorded-contact', name: `mysql2 127.0.0.1:${gate.port}` }])
  expect(gate.refused).toBe(0)
  gate.open()
  await db.end()
})

it.each([false, true])('answers a fork from a clone of the database, rolled back: %s', async (rollback) => {
  const agent = async (db: mysql.Pool): Promise<unknown> => {
    const [rows] = await db.query('SELECT total, placed, paid FROM orders WHERE id = ?', ['ord_1'])
    const client = await db.getConnection()
    const statement = await client.prepare('SELECT total, placed, paid FROM orders WHERE id = ?')
    const [executed] = await statement.execute(['ord_1'])
    const deleting = await client.prepare('DELETE FROM orders')
    await deleting.close()
    await client.beginTransaction()
    await client.execute('UPDATE orders SET total = total + 1 WHERE id = ?', ['ord_1'])
    const failed: unknown = await client.query('SELECT nothing').catch((error: unknown) => (error as { readonly code: string }).code)
    await client.rollback()
    client.release()
    const [{ affectedRows }] = await db.execute<mysql.ResultSetHeader>('UPDATE orders SET total = 100 WHERE id = ?', ['ord_1'])
    const [after] = await db.query('SELECT total FROM orders WHERE id = ?', ['ord_1'])
    return [rows, executed, failed, affectedRows, after]
  }
  const real = pool()
  await real.query('CREATE DATABASE clone')
  const clone = await mysql.createConnection({ port: server.port, host: '127.0.0.1', user: 'agent', database: 'clone' })
  await clone.query('CREATE TABLE orders (id varchar(20), total decimal(10, 2), placed datetime, paid boolean)')
  await clone.query("INSERT INTO orders VALUES ('ord_1', 7, '2026-05-06', NULL)")
  const { trace } = await recordRun(() => agent(real))
  await real.query("UPDATE orders SET total = 12.5 WHERE id = 'ord_1'")
  const url = `mysql://agent@127.0.0.1:${server.port}/clone`
  gate.shut()
  const fresh = pool()
  const run = await fork(trace, () => agent(fresh), {
    at: 1,
    sandbox: { mysql2: rollback ? { url, rollback } : url },
    route: { mysql2: 'run' },
  })
  await fresh.end()
  gate.open()
  const row = { total: '7.00', placed: new Date('2026-05-06T00:00:00'), paid: null }
  expect(run.outcome).toEqual({ status: 'returned', output: [[row], [row], 'ER_BAD_FIELD_ERROR', 1, [{ total: '100.00' }]] })
  expect((await clone.query('SELECT total FROM orders'))[0]).toEqual([{ total: rollback ? '7.00' : '100.00' }])
  expect((await real.query("SELECT total FROM orders WHERE id = 'ord_1'"))[0]).toEqual([{ total: '12.50' }])
  // What the sandbox gave is in the fork's trace.
  const replayed = await replay(run.toTrace(), () => agent(pool()))
  expect([replayed.divergences, replayed.outcome]).toEqual([[], run.outcome])
  await clone.end()
  await real.query('DROP DATABASE clone')
  await real.end()
})

function describe(error: Error): unknown {
  return [error instanceof Error, error.name, error.message, Object.fromEntries(Object.entries(error))]
}
