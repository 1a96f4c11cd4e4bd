import { createClient as createLibsql } from '@libsql/client'
import mysql from 'mysql2/promise'
import rawMysql from 'mysql2'
import pg from 'pg'
import Cursor from 'pg-cursor'
import QueryStream from 'pg-query-stream'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { replay } from '../../src/replay/replay.ts'
import { external } from '../../src/run/external.ts'
import { drivers as sqliteDrivers } from '../boundaries/drivers/sqlite-drivers.ts'
import { recordRun } from '../support/record-run.ts'
import { type Service, startMariadb, startPostgres } from '../support/services.ts'
import { createTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts'

let ofPostgres: Service
let ofMysql: Service
let directory: TemporaryDirectory
beforeAll(async () => {
  ofPostgres = await startPostgres()
  ofMysql = await startMariadb()
  directory = await createTemporaryDirectory()
})
afterAll(async () => {
  for (const service of [ofPostgres, ofMysql, directory]) await service[Symbol.asyncDispose]()
})

/** Words that no rule finds by what they look like. */
const secretOf = (number: number): string => `hunter${String(number).padStart(2, '0')}secret`
const secrets = /hunter\d\dsecret/g

/** What an agent does with a table of people: it inserts four, looks for one by a password, and reads all in several ways. */
interface People {
  open(): Promise<unknown>
  /** Runs a statement, in which `?` stands for a value. Gives the rows. */
  ask(sql: string, values?: readonly unknown[]): Promise<unknown>
  /** Ways of reading `select … from people order by name`, some rows at a time. */
  readonly readings?: readonly ((sql: string) => Promise<unknown>)[]
  close(): Promise<unknown>
}

const address = (service: Service): { readonly host: string; readonly port: number } => ({ host: '127.0.0.1', port: service.port })

const numbered = (sql: string): string => {
  let count = 0
  return sql.replaceAll('?', () => `$${++count}`)
}

async function listOf(read: AsyncIterable<unknown>): Promise<unknown[]> {
  const list: unknown[] = []
  for await (const each of read) list.push(each)
  return list
}

function ofPg(): People {
  const client = new pg.Client({ ...address(ofPostgres), user: 'postgres', database: 'postgres' })
  return {
    open: () => client.connect(),
    ask: async (sql, values) => (await client.query(numbered(sql), [...(values ?? [])])).rows as unknown,
    readings: [
      async (sql) => {
        const cursor = client.query(new Cursor(sql))
        const read = [...(await cursor.read(1)), ...(await cursor.read(2)), ...(await cursor.read(9))] as unknown[]
        await cursor.close()
        return read
      },
      (sql) => listOf(client.query(new QueryStream(sql, [], { batchSize: 1, highWaterMark: 1 }))),
    ],
    close: () => client.end(),
  }
}

function ofPostgresJs(): People {
  const sql = postgres({ ...address(ofPostgres), user: 'postgres', database: 'postgres', max: 1 })
  return {
    open: async () => undefined,
    ask: async (text, values) => [...(await sql.unsafe(numbered(text), values as string[]))],
    readings: [
      async (text) => {
        const read: unknown[] = []
        await sql.unsafe(text).cursor(1, (rows) => void read.push(...rows))
        return read
      },
      async (text) => (await listOf(sql.unsafe(text).cursor(2))).flat(),
    ],
    close: () => sql.end(),
  }
}

function ofMysql2(method: 'query' | 'execute'): () => People {
  return () => {
    const client = rawMysql.createConnection({ ...address(ofMysql), user: 'agent', database: 'test' })
    const db: mysql.Connection = client.promise()
    return {
      open: () => db.connect(),
      ask: async (sql, values = []) => (await (method === 'query' ? db.query(sql, [...values]) : db.execute(sql, values as string[])))[0],
      readings: [
        async (sql) => {
          const read: unknown[] = []
          for await (const row of client.query(sql).stream({ highWaterMark: 1 })) {
            read.push(row)
            await new Promise((resolve) => setTimeout(resolve, 2))
          }
          return read
        },
      ],
      close: () => db.end(),
    }
  }
}

const opened: Readonly<Record<string, () => People>> = {
  pg: ofPg,
  postgres: ofPostgresJs,
  'mysql2, query': ofMysql2('query'),
  'mysql2, execute': ofMysql2('execute'),
  '@libsql/client'() {
    const client = createLibsql({ url: `file:${directory.resolve('client.db')}` })
    return {
      open: async () => undefined,
      ask: async (sql, args) => (await client.execute({ sql, args: (args ?? []) as string[] })).rows.map((row) => ({ ...row })),
      close: async () => client.close(),
    }
  },
  ...Object.fromEntries(
    sqliteDrivers.map(([name, open]) => [
      name,
      () => {
        const db = open(directory.resolve(`${name.replace('/', '-')}.db`))
        return {
          open: async () => undefined,
          ask: async (sql: string, values: readonly unknown[] = []) =>
            /^(?:select)/.test(sql) ? db.prepare(sql).all(...values) : db.prepare(sql).run(...values).changes,
          readings: [
            async (sql: string) => Array.from(db.prepare(sql).iterate(), (row) => ({ ...row })),
            async (sql: string) => {
              const after = sql.replace(' order', ' where password <> ? order')
              return Array.from(db.prepare(after).iterate(secretOf(9)), (row) => ({ ...row }))
            },
            async (sql: string) => {
              const failures = [
                `select nope from people where password='${secretOf(8)}'`,
                `insert into nope (password) values ('${secretOf(7)}')`,
              ]
              const messages = failures.map((failure) => messageOf(() => db.prepare(failure)))
              expect(messages).toEqual([expect.stringContaining('no such column'), expect.stringContaining('no such table')])
              return db.prepare(sql).all()
            },
          ],
          close: async () => db.close(),
        }
      },
    ]),
  ),
}

it.each(Object.keys(opened))('keeps no password of a column, and replays what came of it: %s', async (name) => {
  const agent = async (): Promise<unknown> => {
    const people = (opened[name] ?? assertNever)()
    await people.open()
    await people.ask('drop table if exists people')
    await people.ask('create table people (name varchar(20), password varchar(40))')
    await people.ask('insert into people (name, password) values (?, ?)', ['Ada', secretOf(1)])
    await people.ask('insert into people (password, name) values (?, ?), (?, ?)', [secretOf(2), 'Bob', secretOf(3), 'Cleo'])
    await people.ask(`insert into people (name, password) values ('Dan', '${secretOf(4)}')`)
    const found = await people.ask('select name from people where password = ?', [secretOf(3)])
    const all = (await people.ask('select name, password from people order by name')) as { readonly password: string }[]
    const read: unknown[] = []
    for (const reading of people.readings ?? []) read.push(await reading('select name, password from people order by name'))
    await people.close()
    // An agent hands on what it read.
    await external('tell', async (said: unknown) => said)(`The password of Dan is ${all[3]?.password}.`)
    return { found, all, read }
  }
  const { trace, text, output } = await recordRun(agent)
  const all = ['Ada', 'Bob', 'Cleo', 'Dan'].map((who, index) => ({ name: who, password: secretOf(index + 1) }))
  const { found, all: seen, read } = output as { found: unknown; all: unknown; read: readonly unknown[] }
  expect({ found, seen, read }).toEqual({ found: [{ name: 'Cleo' }], seen: all, read: read.map(() => all) })
  expect(text.match(secrets) ?? []).toEqual([])
  expect(text).toContain('Cleo')
  for (let time = 0; time < 3; time += 1) expect((await replay(trace, agent)).divergences).toEqual([])
})

function messageOf(fail: () => unknown): string {
  try {
    return String(fail())
  } catch (error) {
    return (error as Error).message
  }
}

function assertNever(): never {
  throw new Error('no such driver')
}
