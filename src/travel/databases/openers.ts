import { createRequire } from 'node:module'
import path from 'node:path'
import type postgresPackage from 'postgres'
import { bareArguments } from '../../boundaries/drivers/redis/redis-replies.ts'
import { isFields } from '../../divergence/same-value.ts'
import type { SqlInput } from '../../models/read-sql.ts'

/** A connection to a sandbox. */
export interface SandboxConnection {
  /** Repeats the agent's request. @param name The step's name. @param input The step's input. */
  ask(name: string, input: unknown): unknown
  close(): unknown
}

/** Opens connections of a driver, using the project's copy of its package. */
export interface Opener {
  readonly speaksSql?: true
  open(url: string): Promise<SandboxConnection>
}

/** By driver. */
export const openers: Readonly<Record<string, Opener>> = {
  pg: { speaksSql: true, open: openPg },
  mysql2: { speaksSql: true, open: openMysql },
  ioredis: { open: openIoredis },
  redis: { open: openRedis },
  postgres: { speaksSql: true, open: openPostgres },
  mongodb: { open: openMongo },
}

async function openPg(url: string): Promise<SandboxConnection> {
  const { Client } = load('pg') as typeof import('pg')
  const client = new Client(url)
  await client.connect()
  return {
    ask(_name, input) {
      const { sql: text, values, rows } = input as SqlInput & { readonly rows?: number }
      if (rows !== undefined) throw new Error('A sandbox does not read cursors.')
      return client.query({ text, values: values as unknown[] })
    },
    close: () => client.end(),
  }
}

async function openMysql(url: string): Promise<SandboxConnection> {
  const { createConnection } = load('mysql2/promise') as typeof import('mysql2/promise')
  const connection = await createConnection(url)
  return {
    ask(name, input) {
      const { sql, values } = input as SqlInput
      if (name === 'mysql2 prepare') return connection.prepare(sql)
      if (name === 'mysql2 reset') return connection.reset()
      if (name === 'mysql2 changeUser') throw new Error('A sandbox does not change the user.')
      return connection.query(sql, values as never)
    },
    close: () => connection.end(),
  }
}

async function openIoredis(url: string): Promise<SandboxConnection> {
  const { Redis } = load('ioredis') as typeof import('ioredis')
  const client = new Redis(url)
  return { ask: (name, input) => client.call(verbOf(name), ...(argumentsOf(input) as string[])), close: () => client.disconnect() }
}

async function openRedis(url: string): Promise<SandboxConnection> {
  const { createClient } = load('redis') as typeof import('redis')
  const client = createClient({ url })
  await client.connect()
  return {
    ask(name, input) {
      const [verb, args] = [verbOf(name), argumentsOf(input)]
      if (verb !== 'MULTI' && verb !== 'PIPELINE') return client.sendCommand([verb, ...(args as string[])])
      const batch = client.multi()
      for (const each of args as string[][]) batch.addCommand(each)
      return verb === 'MULTI' ? batch.exec() : batch.execAsPipeline()
    },
    close: () => client.destroy(),
  }
}

function openPostgres(url: string): Promise<SandboxConnection> {
  const postgres = load('postgres') as typeof postgresPackage
  // Transactions are sent as statements here, which need a single connection.
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  return Promise.resolve({
    ask(_name, input) {
      const { sql: text, values = [] } = input as SqlInput & { readonly values?: readonly unknown[] }
      const toSent = (value: unknown): unknown => {
        if (!isFields(value) || value instanceof Date) return value
        const { value: typed, type, array } = value
        if (type === undefined) throw new Error('A sandbox does not run SQL that a helper of postgres writes.')
        return array === true ? sql.array(typed as never[], type as number) : sql.typed(typed as never, type as number)
      }
      // Sent immediately, not when it is awaited.
      return sql.unsafe(text, values.map(toSent) as never[]).execute()
    },
    close: () => sql.end(),
  })
}

async function openMongo(url: string): Promise<SandboxConnection> {
  const { MongoClient, BSON } = load('mongodb') as typeof import('mongodb')
  const client = new MongoClient(url)
  await client.connect()
  return {
    ask(name, input) {
      const verb = verbOf(name)
      if (verb === 'getMore') throw new Error('A sandbox does not read the rest of a cursor.')
      const { collection, database, transaction: _, ...command } = BSON.EJSON.deserialize(input as object, { relaxed: false })
      const [, of = String(database), target = 1] = /^([^.]*)\.(.*)$/.exec(String(collection)) ?? []
      return client.db(of).command({ [verb]: target, ...command })
    },
    close: () => client.close(),
  }
}

/** The arguments of a command; with a second database, they are next to its number. Credentials have the agent's values. */
function argumentsOf(input: unknown): readonly unknown[] {
  return bareArguments(Array.isArray(input) ? input : (input as { readonly args: readonly unknown[] }).args)
}

function verbOf(name: string): string {
  return name.slice(name.indexOf(' ') + 1)
}

/** Loads a driver from the project's packages. All of these drivers are CommonJS. */
function load(name: string): unknown {
  return createRequire(path.join(process.cwd(), 'package.json'))(name)
}
