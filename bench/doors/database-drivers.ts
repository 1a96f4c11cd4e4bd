import { setImmediate as turn } from 'node:timers/promises'
import { DatabaseSync } from 'node:sqlite'
import Database from 'better-sqlite3'
import { Redis } from 'ioredis'
import { MongoClient } from 'mongodb'
import mysql from 'mysql2/promise'
import pg from 'pg'
import createPostgres, { type Sql } from 'postgres'
import { createClient } from 'redis'
import { startMongo } from '../../test/support/mongo-service.ts'
import { createTemporaryDirectory } from '../../test/support/temporary-directory.ts'
import { startMariadb, startPostgres, startRedis } from '../../test/support/services.ts'

/** A driver or client that is measured with a real server; for MongoDB, with a stand-in that answers at once. */
export interface BenchedDriver {
  readonly name: string
  open(): Promise<object>
  ask(client: object, query: number): Promise<unknown>
  close(client: object): Promise<unknown>
  /** The stub that a test would use in place of the driver. */
  stub(query: number): Promise<unknown>
}

const rows = [{ id: 'ord_1', total: '12.50' }]
const stub = async (): Promise<unknown> => {
  await turn()
  return structuredClone(rows)
}

/** Starts the servers and returns the drivers. A SQL query takes a server about a millisecond. */
export async function startDatabases(): Promise<AsyncDisposable & { readonly drivers: readonly BenchedDriver[] }> {
  const postgres = await startPostgres()
  const address = { port: postgres.port, host: '127.0.0.1', user: 'postgres', database: 'postgres' }
  const mariadb = await startMariadb()
  const redis = await startRedis()
  const mongo = await startMongo()
  const directory = await createTemporaryDirectory()
  return {
    drivers: [
      {
        name: 'pg',
        stub,
        async open() {
          const client = new pg.Client(address)
          await client.connect()
          return client
        },
        ask: (client, query) =>
          (client as pg.Client).query("SELECT $1::text AS id, '12.50' AS total FROM pg_sleep(0.001)", [`ord_${query}`]),
        close: (client) => (client as pg.Client).end(),
      },
      {
        name: 'postgres',
        stub,
        open: () => Promise.resolve(createPostgres({ ...address, max: 1 })),
        ask: async (client, query) => await (client as Sql)`SELECT ${`ord_${query}`}::text AS id, '12.50' AS total FROM pg_sleep(0.001)`,
        close: (client) => (client as Sql).end(),
      },
      {
        name: 'mysql2',
        stub,
        open: () => mysql.createConnection({ port: mariadb.port, host: '127.0.0.1', user: 'agent', database: 'test' }),
        ask: (client, query) =>
          (client as mysql.Connection).execute("SELECT ? AS id, '12.50' AS total, sleep(0.001) AS slept", [`ord_${query}`]),
        close: (client) => (client as mysql.Connection).end(),
      },
      {
        name: 'ioredis',
        stub,
        async open() {
          const client = new Redis(redis.port, '127.0.0.1')
          await client.set('ord_1', 'packed')
          return client
        },
        ask: (client) => (client as Redis).get('ord_1'),
        close: (client) => (client as Redis).quit(),
      },
      {
        name: 'redis',
        stub,
        async open() {
          const client = await createClient({ url: `redis://127.0.0.1:${redis.port}` }).connect()
          await client.set('ord_1', 'packed')
          return client
        },
        ask: (client) => (client as ReturnType<typeof createClient>).get('ord_1'),
        close: (client) => (client as ReturnType<typeof createClient>).close(),
      },
      {
        name: 'mongodb',
        stub,
        async open() {
          const client = await new MongoClient(`mongodb://127.0.0.1:${mongo.port}/?directConnection=true`).connect()
          await client.db('shop').collection<{ _id: string; total: number }>('orders').insertOne({ _id: 'ord_1', total: 12.5 })
          return client
        },
        ask: (client) => (client as MongoClient).db('shop').collection<{ _id: string }>('orders').findOne({ _id: 'ord_1' }),
        close: (client) => (client as MongoClient).close(),
      },
      {
        name: 'node_sqlite',
        stub,
        async open() {
          const client = new DatabaseSync(directory.resolve('node.db'))
          client.exec('CREATE TABLE IF NOT EXISTS orders (id text PRIMARY KEY, total real)')
          client.exec("INSERT OR REPLACE INTO orders VALUES ('ord_1', 12.5)")
          return client
        },
        ask: async (client) => (client as DatabaseSync).prepare('SELECT * FROM orders WHERE id = ?').get('ord_1'),
        close: async (client) => (client as DatabaseSync).close(),
      },
      {
        name: 'better_sqlite3',
        stub,
        async open() {
          const client = new Database(directory.resolve('shop.db'))
          client.exec('CREATE TABLE IF NOT EXISTS orders (id text PRIMARY KEY, total real)')
          client.exec("INSERT OR REPLACE INTO orders VALUES ('ord_1', 12.5)")
          return client
        },
        ask: async (client) => (client as Database.Database).prepare('SELECT * FROM orders WHERE id = ?').get('ord_1'),
        close: async (client) => (client as Database.Database).close(),
      },
    ],
    async [Symbol.asyncDispose]() {
      for (const each of [postgres, mariadb, redis, mongo, directory]) await each[Symbol.asyncDispose]()
    },
  }
}
