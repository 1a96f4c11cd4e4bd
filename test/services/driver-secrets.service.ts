import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { createClient as createLibsql } from '@libsql/client'
import { Redis } from 'ioredis'
import { MongoClient } from 'mongodb'
import mysql from 'mysql2/promise'
import pg from 'pg'
import postgres from 'postgres'
import { createClient } from 'redis'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createRecorder } from '../../src/record/recorder.ts'
import { drivers as sqliteDrivers } from '../boundaries/drivers/sqlite-drivers.ts'
import { startMongo } from '../support/mongo-service.ts'
import { findSecrets, plantSecrets } from '../support/plant-secrets.ts'
import { readRecording } from '../support/read-recording.ts'
import { type Service, startMariadb, startPostgres, startRedis } from '../support/services.ts'
import { createTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts'

let directory: TemporaryDirectory
const services = new Map<string, Service>()
beforeAll(async () => {
  directory = await createTemporaryDirectory()
  for (const [name, start] of Object.entries({
    postgres: startPostgres,
    mysql: startMariadb,
    redis: () => startRedis(),
    mongo: startMongo,
  }))
    services.set(name, await start())
})
afterAll(async () => {
  for (const service of services.values()) await service[Symbol.asyncDispose]()
  await directory[Symbol.asyncDispose]()
})

const portOf = (name: string): number => services.get(name)?.port ?? 0

/** Ways in which an agent hands a secret to a database and gets it back. */
interface Ways {
  /** As a parameter: it is written, and comes back in a row or a reply. */
  parameter(secret: string): Promise<unknown>
  /** As part of a statement or a command. */
  statement(secret: string): Promise<unknown>
  /** In what fails, so that the error may name it. */
  failing(secret: string): Promise<unknown>
  close(): unknown
}

/** Of databases that speak SQL. @param mark Of the first parameter. */
function inSql(ask: (sql: string, values: readonly unknown[]) => Promise<unknown>, close: () => unknown, mark: string): Ways {
  return {
    parameter: (secret) => ask(`SELECT ${mark} AS value`, [secret]),
    statement: (secret) => ask(`SELECT '${secret}' AS value`, []),
    failing: (secret) => ask(`SELECT * FROM "${secret}"`, []),
    close,
  }
}

function inRedis(ask: (...args: string[]) => Promise<unknown>, close: () => unknown): Ways {
  return {
    async parameter(secret) {
      await ask('SET', 'key', secret)
      return await ask('GET', 'key')
    },
    async statement(secret) {
      await ask('SET', `key of ${secret}`, 'value')
      return await ask('KEYS', `key of ${secret}`)
    },
    failing: (secret) => ask(`NO_COMMAND`, secret),
    close,
  }
}

const address = (name: string): { readonly host: string; readonly port: number } => ({ host: '127.0.0.1', port: portOf(name) })

const opened: Readonly<Record<string, () => Ways | Promise<Ways>>> = {
  pg() {
    const pool = new pg.Pool({ ...address('postgres'), user: 'postgres', database: 'postgres' })
    return inSql(
      (sql, values) => pool.query(sql, [...values]),
      () => pool.end(),
      '$1::text',
    )
  },
  postgres() {
    const sql = postgres({ ...address('postgres'), user: 'postgres', database: 'postgres' })
    return inSql(
      async (text, values) => [...(await sql.unsafe(text, values as string[]))],
      () => sql.end(),
      '$1::text',
    )
  },
  async mysql2() {
    const db = await mysql.createConnection({ ...address('mysql'), user: 'agent', database: 'test' })
    return inSql(
      (sql, values) => db.execute(sql, values as string[]),
      () => db.end(),
      '?',
    )
  },
  ioredis() {
    const client = new Redis({ ...address('redis') })
    return inRedis(
      (command, ...args) => client.call(command, ...args),
      () => client.quit(),
    )
  },
  async redis() {
    const client = await createClient({ socket: address('redis') }).connect()
    return inRedis(
      (...args) => client.sendCommand(args),
      () => client.close(),
    )
  },
  mongodb() {
    const client = new MongoClient(`mongodb://127.0.0.1:${portOf('mongo')}/?directConnection=true`)
    const people = client.db('shop').collection('people')
    return {
      async parameter(secret) {
        await people.insertOne({ text: `It is ${secret}.`, bytes: Buffer.from(`It is ${secret}.`) })
        return await people.findOne({ text: `It is ${secret}.` })
      },
      statement: (secret) => people.find({ [secret]: { $exists: true } }).toArray(),
      failing: (secret) => people.find({ text: { [`$${secret}`]: 1 } }).toArray(),
      close: () => client.close(),
    }
  },
  '@libsql/client'() {
    const client = createLibsql({ url: `file:${directory.resolve('client.db')}` })
    return inSql(
      (sql, args) => client.execute({ sql, args: args as string[] }),
      () => client.close(),
      '?',
    )
  },
  ...Object.fromEntries(
    sqliteDrivers.map(([name, open]) => [
      name,
      () => {
        const db = open(directory.resolve(`${name}.db`))
        return inSql(
          async (sql, values) => db.prepare(sql).all(...values),
          () => db.close(),
          '?',
        )
      },
    ]),
  ),
}

it.each(Object.keys(opened))(
  'leaves none of 100 secrets on disk that are planted in statements, parameters, rows and errors: %s',
  async (name) => {
    const secrets = plantSecrets(name, 100)
    const runs = directory.resolve('runs', name.replace('/', '-'))
    const recorder = createRecorder({ store: runs })
    let failed = 0
    await recorder.run({ agent: 'agent', input: {} }, async () => {
      const ways = await opened[name]?.()
      const seen: unknown[] = []
      for (const secret of secrets.slice(0, 40)) seen.push(await ways?.parameter(secret))
      for (const secret of secrets.slice(40, 70)) seen.push(await ways?.statement(secret))
      for (const secret of secrets.slice(70))
        await ways?.failing(secret).catch((error: unknown) => {
          failed += 1
          seen.push(error)
        })
      await ways?.close()
      return seen
    })
    await recorder.close()
    const { text } = await readRecording(runs)
    expect(text.match(/"kind":"call"/g)?.length).toBeGreaterThanOrEqual(100)
    expect(failed).toBeGreaterThan(0)
    for (const each of [text, ...contentsOf(runs)]) expect(findSecrets(each, secrets)).toEqual([])
  },
)

/** Everything that stands in the files of a directory. */
function contentsOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file).isFile())
    .map((file) => readFileSync(file, 'latin1'))
}
