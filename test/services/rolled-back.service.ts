import mysql from 'mysql2/promise'
import pg from 'pg'
import postgres from 'postgres'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { recordRun } from '../support/record-run.ts'
import { type Service, startMariadb, startPostgres } from '../support/services.ts'
import { fork } from '../../src/travel/fork.ts'

let ofPostgres: Service
let ofMysql: Service
beforeAll(async () => {
  ofPostgres = await startPostgres()
  ofMysql = await startMariadb()
  await askPostgres("CREATE PROCEDURE keep() AS $$ BEGIN UPDATE f SET n = 'kept'; COMMIT; END $$ LANGUAGE plpgsql")
})
afterAll(async () => {
  await ofPostgres[Symbol.asyncDispose]()
  await ofMysql[Symbol.asyncDispose]()
})
beforeEach(async () => {
  await askPostgres("DROP TABLE IF EXISTS f; CREATE TABLE f (n text); INSERT INTO f VALUES ('untouched')")
  for (const sql of [
    'DROP TABLE IF EXISTS f, g, made',
    'CREATE TABLE f (n varchar(20)) ENGINE=InnoDB',
    'CREATE TABLE g (n varchar(20)) ENGINE=InnoDB',
    "INSERT INTO f VALUES ('untouched')",
    "INSERT INTO g VALUES ('untouched')",
  ])
    await askMysql(sql)
})

const untouched = [{ n: 'untouched' }]
const urlOfPostgres = (): string => `postgres://postgres@127.0.0.1:${ofPostgres.port}/postgres`
const urlOfMysql = (): string => `mysql://agent@127.0.0.1:${ofMysql.port}/test`

async function askPostgres(sql: string): Promise<readonly unknown[]> {
  const client = new pg.Client(urlOfPostgres())
  await client.connect()
  try {
    return (await client.query<object>(sql)).rows
  } finally {
    await client.end()
  }
}

async function askMysql(sql: string): Promise<unknown> {
  const client = await mysql.createConnection(urlOfMysql())
  try {
    return (await client.query(sql))[0]
  } finally {
    await client.end()
  }
}

type Ask = (sql: string) => Promise<unknown>

const drivers = {
  async pg(work: (ask: Ask) => Promise<unknown>) {
    const client = new pg.Client(urlOfPostgres())
    await client.connect()
    try {
      return await work(async (sql) => (await client.query<object>(sql)).rows)
    } finally {
      await client.end()
    }
  },
  async postgres(work: (ask: Ask) => Promise<unknown>) {
    const sql = postgres(urlOfPostgres(), { max: 1, onnotice: () => undefined })
    try {
      return await sql.begin(async (tx) => await work(async (text) => [...(await tx.unsafe(text))]))
    } finally {
      await sql.end()
    }
  },
  async mysql2(work: (ask: Ask) => Promise<unknown>) {
    const client = await mysql.createConnection(urlOfMysql())
    try {
      return await work(async (sql) => (await client.query(sql))[0])
    } finally {
      await client.end()
    }
  },
}

/** Forks an agent that asked one thing when it was recorded: what it asks more is asked in the sandbox. Gives what came of each statement. */
async function forkInto(driver: keyof typeof drivers, statements: readonly string[]): Promise<unknown> {
  let asksMore = false
  const agent = (): Promise<unknown> =>
    drivers[driver](async (ask) => {
      await ask('SELECT 1 AS n')
      const came: unknown[] = []
      for (const sql of asksMore ? statements : []) {
        came.push(
          await ask(sql).then(
            (rows) => (Array.isArray(rows) ? rows : 'done'),
            (error: Error) => error.message,
          ),
        )
      }
      return came
    })
  const { trace } = await recordRun(agent)
  asksMore = true
  const url = driver === 'mysql2' ? urlOfMysql() : urlOfPostgres()
  const { outcome } = await fork(trace, agent, {
    at: 1,
    sandbox: { [driver]: { url, rollback: true } },
    route: { [driver]: 'run' },
  })
  return outcome.status === 'returned' ? outcome.output : outcome
}

const refused = expect.stringMatching(/^A sandbox that is rolled back does not run /)
const update = "UPDATE f SET n = 'kept'"

it.each(['pg', 'postgres'] as const)('keeps nothing of a text of several statements that commits: %s', async (driver) => {
  const forms = [
    `${update}; commit`,
    `${update}; end`,
    `do $$ begin ${update}; end $$; commit`,
    `rollback; ${update}; commit`,
    `${update}; /* ; */ COMMIT WORK;`,
  ]
  expect(await forkInto(driver, [...forms, `${update}; SELECT n FROM f`])).toEqual([...forms.map(() => refused), expect.anything()])
  expect(await askPostgres('SELECT n FROM f')).toEqual(untouched)
})

it.each(['pg', 'postgres'] as const)('keeps nothing of a procedure that commits: %s', async (driver) => {
  const forms = [`do $$ begin ${update}; commit; end $$`, 'call keep()', "prepare transaction 'a'"]
  expect(await forkInto(driver, forms)).toEqual(['invalid transaction termination', 'invalid transaction termination', refused])
  expect(await askPostgres('SELECT n FROM f')).toEqual(untouched)
})

const seen = 'SELECT n FROM f'
const rows = (n: string): unknown => [{ n }]

it.each([
  ['pg', 'release a', 'savepoint "a" does not exist', []],
  ['mysql2', 'release savepoint a', 'SAVEPOINT a does not exist', 'done'],
] as const)("follows the agent's own savepoints: %s", async (driver, releaseA, gone, done) => {
  const expected: readonly (readonly [sql: string, came: unknown])[] = [
    ['begin', done],
    ['savepoint a', done],
    ["update f set n = 'x'", done],
    ['savepoint b', done],
    ["update f set n = 'y'", done],
    [seen, rows('y')],
    ['rollback to savepoint b', done],
    [seen, rows('x')],
    ['rollback to a', done],
    [seen, untouched],
    ['savepoint c', done],
    ["update f set n = 'z'", done],
    ['release savepoint c', done],
    [seen, rows('z')],
    [releaseA, done],
    [releaseA, gone],
    ['savepoint a', done],
    ['commit', done],
    [seen, rows('z')],
    ['rollback to a', gone],
    [seen, rows('z')],
    ['begin', done],
    ["update f set n = 'w'", done],
    ['/* undone */ rollback', done],
    [seen, rows('z')],
  ]
  expect(
    await forkInto(
      driver,
      expected.map(([sql]) => sql),
    ),
  ).toEqual(expected.map(([, came]) => came))
  expect(driver === 'pg' ? await askPostgres(seen) : await askMysql(seen)).toEqual(untouched)
})

it("follows nested transactions of a driver: postgres's savepoint", async () => {
  let asksMore = false
  const agent = async (): Promise<unknown> => {
    const sql = postgres(urlOfPostgres(), { max: 1 })
    try {
      await sql`SELECT 1`
      if (!asksMore) return undefined
      return await sql.begin(async (tx) => {
        await tx.savepoint((inner) => inner`UPDATE f SET n = 'x'`)
        await tx.savepoint((inner) => inner`UPDATE f SET n = 'y'`.then(() => inner`SELECT nothing`)).catch(() => undefined)
        return [...(await tx`SELECT n FROM f`)]
      })
    } finally {
      await sql.end()
    }
  }
  const { trace } = await recordRun(agent)
  asksMore = true
  const run = await fork(trace, agent, {
    at: 1,
    sandbox: { postgres: { url: urlOfPostgres(), rollback: true } },
    route: { postgres: 'run' },
  })
  expect(run.outcome).toEqual({ status: 'returned', output: [{ n: 'x' }] })
  expect(await askPostgres('SELECT n FROM f')).toEqual(untouched)
})

it('keeps nothing where a statement of MySQL commits by itself', async () => {
  const insert = "INSERT INTO f VALUES ('kept')"
  const committing = [
    'truncate table g',
    'create table if not exists made (i int)',
    'alter table g add more int',
    'rename table g to made',
    'lock tables f write',
    'grant select on test.* to agent@127.0.0.1',
    'analyze table f',
    '/*!50000 drop table g */',
    'set autocommit = @nothing',
  ]
  const came = await forkInto('mysql2', [...committing.flatMap((sql) => [insert, sql]), 'create temporary table made (i int)', insert])
  expect(came).toEqual([...committing.flatMap(() => ['done', refused]), 'done', 'done'])
  expect(await askMysql('SELECT n FROM f')).toEqual(untouched)
  expect(await askMysql('SELECT n FROM g')).toEqual(untouched)
})

it('begins its transaction before a statement of MySQL that is only prepared, and outlives a reset', async () => {
  let asksMore = false
  const agent = async (): Promise<unknown> => {
    const client = await mysql.createConnection(urlOfMysql())
    try {
      await client.query('SELECT 1')
      if (!asksMore) return undefined
      const statement = await client.prepare("INSERT INTO f VALUES ('kept')")
      await statement.execute([])
      await statement.close()
      await client.reset()
      await client.beginTransaction()
      await client.query("INSERT INTO f VALUES ('undone')")
      await expect(client.reset()).rejects.toThrow('does not reset a connection within a transaction')
      await client.rollback()
      await client.query('DELETE FROM g')
      return (await client.query('SELECT n FROM f'))[0]
    } finally {
      await client.end()
    }
  }
  const { trace } = await recordRun(agent)
  asksMore = true
  const run = await fork(trace, agent, {
    at: 1,
    sandbox: { mysql2: { url: urlOfMysql(), rollback: true } },
    route: { mysql2: 'run' },
  })
  expect(run.outcome).toEqual({ status: 'returned', output: [...untouched, { n: 'kept' }] })
  expect(await askMysql('SELECT n FROM f')).toEqual(untouched)
  expect(await askMysql('SELECT n FROM g')).toEqual(untouched)
})
