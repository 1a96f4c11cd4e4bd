import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Sql } from 'postgres'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { replay } from '../../src/replay/replay.ts'
import { type Gate, startGate } from '../support/gate.ts'
import { holdDriver } from '../support/hold-driver.ts'
import { recordRun } from '../support/record-run.ts'
import { type Service, startPostgres } from '../support/services.ts'
import { createTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts'

// As CommonJS, clients that were made before the doors were open are met as well.
const postgres = createRequire(import.meta.url)('postgres') as typeof import('postgres')

let server: Service
let gate: Gate
let directory: TemporaryDirectory
beforeAll(async () => {
  server = await startPostgres()
  gate = await startGate(server.port)
  directory = await createTemporaryDirectory()
  const sql = open()
  await sql`CREATE TABLE orders (id int PRIMARY KEY, name text, tags text[], j jsonb)`
  await sql`INSERT INTO orders VALUES (1, 'a', '{}', '{}')`
  await sql.end()
})
afterAll(async () => {
  await directory[Symbol.asyncDispose]()
  await gate[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const open = (): Sql => postgres({ port: gate.port, host: '127.0.0.1', user: 'postgres', database: 'postgres', onnotice: () => undefined })
const close = (sql: Sql): Promise<void> => sql.end()

/** Its text is what postgres sends, and no field of it shows. */
class Amount {
  readonly #cents: number
  constructor(cents: number) {
    this.#cents = cents
  }
  toString(): string {
    return String(this.#cents)
  }
}

const file = (): string => directory.resolve('query.sql')

/** What an agent sends, as recorded and as changed. */
const changes: Readonly<Record<string, (sql: Sql, isChanged: boolean) => unknown>> = {
  'JSON in a helper': (sql, isChanged) =>
    sql`UPDATE orders SET ${sql({ j: sql.json({ role: isChanged ? 'admin' : 'user' }) })} WHERE id = 1`,
  'a fragment in a helper': (sql, isChanged) => sql`UPDATE orders SET ${sql({ name: sql`name || ${isChanged ? 'x' : 'y'}` } as never)}`,
  'the text of a fragment in a helper': (sql, isChanged) =>
    sql`UPDATE orders SET ${sql({ name: isChanged ? sql`lower(name)` : sql`upper(name)` } as never)}`,
  'a name in a helper': (sql, isChanged) => sql`UPDATE orders SET ${sql({ name: sql(isChanged ? 'j' : 'name') } as never)}`,
  'JSON in a list of rows': (sql, isChanged) =>
    sql`INSERT INTO orders ${sql([2, 3].map((id) => ({ id, j: sql.json({ n: isChanged ? 9 : id }) })) as never)} ON CONFLICT DO NOTHING`,
  'JSON in rows of values': (sql, isChanged) =>
    sql`INSERT INTO orders (id, j) VALUES ${sql([[20, sql.json({ n: isChanged ? 2 : 1 })]] as never)} ON CONFLICT DO NOTHING`,
  'a list in a helper': async (sql, isChanged) => {
    // postgres knows the types of lists once it is connected.
    await sql`SELECT 1`
    return sql`UPDATE orders SET ${sql({ tags: sql.array([isChanged ? 'b' : 'a']) } as never)}`
  },
  'a type': (sql, isChanged) => sql`SELECT pg_typeof(${sql.typed('1' as never, isChanged ? 20 : 25)})::text AS type`,
  'a class with a text': (sql, isChanged) => sql`SELECT ${new Amount(isChanged ? 50_000 : 500) as never}::int AS cents`,
  'a file': async (sql, isChanged) => {
    await writeFile(file(), isChanged ? 'DELETE FROM orders WHERE id = $1' : 'UPDATE orders SET id = 77 WHERE id = $1')
    return sql.file(file(), [77])
  },
  'the size of a cursor': async (sql, isChanged) => {
    for await (const rows of sql`SELECT generate_series(1, 100) AS n`.cursor(isChanged ? 3 : 10)) return rows.length
    return 0
  },
  'a statement that is only described': (sql, isChanged) => {
    const query = sql`UPDATE orders SET name = name WHERE id = 78`
    return isChanged ? query.then(() => 'done') : query.describe().then(() => 'done')
  },
}

it.each(Object.keys(changes))('compares %s', async (name) => {
  const agent = async (sql: Sql, isChanged = false): Promise<unknown> => {
    const result = await changes[name]?.(sql, isChanged)
    return Array.isArray(result) ? [...(result as unknown[])] : result
  }
  const held = await holdDriver({ gate, open, close, agent: (sql) => agent(sql) })
  expect(held.text).not.toMatch(/unkept-value|a promise/)
  const { divergences } = await held.replay(((sql: Sql) => agent(sql, true)) as never)
  expect(divergences).toMatchObject([{ name: expect.stringMatching(/^postgres /) as string }])
})

it('keeps what helpers send in the form in which it is given, without the fields that they leave out', async () => {
  const { trace } = await holdDriver({
    gate,
    open,
    close,
    agent: async (sql) => {
      const order = { id: 1, name: 'b', secret: 'never sent' }
      await sql`UPDATE orders SET ${sql(order, 'name')} WHERE id = 1`
      await sql`UPDATE orders SET ${sql({ name: sql`lower(${'B'})`, j: sql.json({ a: 1 }) } as never)} WHERE id = ${1}`
      await sql`SELECT ${sql(['id', 'name'])} FROM orders WHERE id IN ${sql([1, 2])}`
    },
  })
  expect(trace.steps.map(({ input }) => (input as { readonly values: unknown }).values)).toEqual([
    [[{ name: 'b' }, ['name']]],
    [{ name: { sql: 'lower($1)', values: ['B'] }, j: { value: { a: 1 }, type: 3802 } }, 1],
    [
      ['id', 'name'],
      [1, 2],
    ],
  ])
})

it('reads a file of SQL: its statement, its effect, and that it is not there', async () => {
  const held = await holdDriver({
    gate,
    open,
    close,
    agent: async (sql) => {
      await writeFile(file(), 'UPDATE orders SET name = $1 WHERE id = 1')
      const done = await sql.begin(async (tx) => (await tx.file(file(), ['z'])).count)
      const missing: unknown = await sql.file(directory.resolve('nothing.sql')).catch((error: NodeJS.ErrnoException) => error.code)
      return [done, missing]
    },
  })
  expect(held.trace.steps.map(({ name, input, effect }) => [name, input, effect])).toEqual([
    ['postgres BEGIN', { sql: 'begin ', transaction: 1 }, 'read'],
    ['postgres UPDATE', { sql: 'UPDATE orders SET name = $1 WHERE id = 1', values: ['z'] }, 'write'],
    ['postgres COMMIT', { sql: 'commit', transaction: 1 }, 'read'],
  ])
})

it('says the fields of an error in the order of the driver', async () => {
  const agent = (sql: Sql): Promise<unknown> =>
    sql`INSERT INTO orders (id) VALUES (${1})`.catch((error: object) => [Object.keys(error), Reflect.get(error, 'parameters')])
  await holdDriver({ gate, open, close, agent })
})

it.each(['listen', 'copy'])('notes and refuses what cannot be answered: %s', async (what) => {
  const agent = async (): Promise<unknown> => {
    const sql = open()
    try {
      if (what === 'copy') {
        const stream = await sql`COPY orders (id) FROM stdin`.writable()
        stream.destroy()
        return 'copied'
      }
      const { unlisten } = await sql.listen('channel', () => undefined)
      await unlisten()
      return 'heard'
    } finally {
      await sql.end({ timeout: 0 })
    }
  }
  const { trace, text } = await recordRun(agent, { fails: true })
  expect(text).toContain('unrecorded-contact')
  gate.shut()
  const { divergences } = await replay(trace, agent)
  gate.open()
  expect(gate.refused).toBe(0)
  expect(divergences).toMatchObject([{ cause: 'unrecorded-contact' }])
})

it('goes red where a statement goes to another client, in a transaction as well', async () => {
  const both = (): { readonly one: Sql; readonly other: Sql } => ({ one: open(), other: open() })
  const agent = async ({ one, other }: ReturnType<typeof both>, isChanged = false): Promise<unknown> => {
    await one`SELECT 1`
    await other`SELECT 2`
    return (await (isChanged ? other : one).begin((tx) => tx`UPDATE orders SET name = name`)).count
  }
  const held = await holdDriver({
    gate,
    open: both,
    agent: (clients) => agent(clients),
    close: ({ one, other }) => Promise.all([one.end(), other.end()]),
  })
  expect(held.trace.steps.map(({ input }) => (input as { readonly client?: number }).client)).toEqual([
    undefined,
    2,
    undefined,
    undefined,
    undefined,
  ])
  expect((await held.replay((clients: ReturnType<typeof both>) => agent(clients, true))).divergences).toMatchObject([
    { cause: 'input', step: 3 },
  ])
})
