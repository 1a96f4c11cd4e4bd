import { createRequire } from 'node:module'
import path from 'node:path'
import { bareArguments } from '../../boundaries/drivers/redis/redis-replies.ts'
import { isFields } from '../../divergence/same-value.ts'
import type { SqlInput } from '../../models/sql.ts'

/** A connection to a sandbox. */
export interface SandboxConnection {
  /** Asks what the agent asked. @param name Of the step. @param input As the step has it. */
  ask(name: string, input: unknown): unknown
  close(): unknown
}

/** How connections of a driver are opened, with the driver's package that the project has. */
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

interface PgClient {
  connect(): Promise<unknown>
  query(query: object): Promise<unknown>
  end(): Promise<unknown>
}

async function openPg(url: string): Promise<SandboxConnection> {
  const { Client } = load('pg') as { readonly Client: new (url: string) => PgClient }
  const client = new Client(url)
  await client.connect()
  return {
    ask(_name, input) {
      const { sql: text, values, rows } = input as SqlInput & { readonly rows?: number }
      if (rows !== undefined) throw new Error('A cursor is not read in a sandbox.')
      return client.query({ text, values })
    },
    close: () => client.end(),
  }
}

interface MysqlConnection {
  query(sql: string, values?: unknown): Promise<unknown>
  prepare(sql: string): Promise<unknown>
  reset(): Promise<unknown>
  end(): Promise<unknown>
}

async function openMysql(url: string): Promise<SandboxConnection> {
  const { createConnection } = load('mysql2/promise') as { readonly createConnection: (url: string) => Promise<MysqlConnection> }
  const connection = await createConnection(url)
  return {
    ask(name, input) {
      const { sql, values } = input as SqlInput
      if (name === 'mysql2 prepare') return connection.prepare(sql)
      if (name === 'mysql2 reset') return connection.reset()
      if (name === 'mysql2 changeUser') throw new Error('The user is not changed in a sandbox.')
      return connection.query(sql, values)
    },
    close: () => connection.end(),
  }
}

interface IoredisClient {
  call(command: string, ...args: unknown[]): Promise<unknown>
  disconnect(): void
}

async function openIoredis(url: string): Promise<SandboxConnection> {
  const { Redis } = load('ioredis') as { readonly Redis: new (url: string) => IoredisClient }
  const client = new Redis(url)
  return { ask: (name, input) => client.call(verbOf(name), ...argumentsOf(input)), close: () => client.disconnect() }
}

interface RedisClient {
  connect(): Promise<unknown>
  sendCommand(args: readonly unknown[]): Promise<unknown>
  multi(): RedisBatch
  destroy(): void
}

interface RedisBatch {
  addCommand(args: readonly unknown[]): unknown
  exec(): Promise<unknown>
  execAsPipeline(): Promise<unknown>
}

async function openRedis(url: string): Promise<SandboxConnection> {
  const { createClient } = load('redis') as { readonly createClient: (options: object) => RedisClient }
  const client = createClient({ url })
  await client.connect()
  return {
    ask(name, input) {
      const verb = verbOf(name)
      if (verb !== 'MULTI' && verb !== 'PIPELINE') return client.sendCommand([verb, ...argumentsOf(input)])
      const batch = client.multi()
      for (const args of argumentsOf(input) as unknown[][]) batch.addCommand(args)
      return verb === 'MULTI' ? batch.exec() : batch.execAsPipeline()
    },
    close: () => client.destroy(),
  }
}

interface PostgresSql {
  typed(value: unknown, type: unknown): unknown
  array(value: unknown, type: unknown): unknown
  unsafe(sql: string, values?: unknown): { execute(): Promise<unknown> }
  end(): Promise<unknown>
}

function openPostgres(url: string): Promise<SandboxConnection> {
  const postgres = load('postgres') as (url: string, options: object) => PostgresSql
  // Transactions are statements here, which need a connection of their own.
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  return Promise.resolve({
    ask(_name, input) {
      const { sql: text, values = [] } = input as SqlInput & { readonly values?: readonly unknown[] }
      const toSent = (value: unknown): unknown => {
        if (!isFields(value) || value instanceof Date) return value
        const { value: typed, type, array } = value
        if (type === undefined) throw new Error('What a helper of postgres writes is not asked in a sandbox.')
        return array === true ? sql.array(typed, type) : sql.typed(typed, type)
      }
      // It is sent at once, and not when somebody waits for it.
      return sql.unsafe(text, values.map(toSent)).execute()
    },
    close: () => sql.end(),
  })
}

interface MongoPackage {
  readonly MongoClient: new (url: string) => {
    connect(): Promise<unknown>
    db(name: string): { command(command: object): Promise<unknown> }
    close(): Promise<unknown>
  }
  readonly BSON: { readonly EJSON: { deserialize(value: object, options: object): Record<string, unknown> } }
}

async function openMongo(url: string): Promise<SandboxConnection> {
  const { MongoClient, BSON } = load('mongodb') as MongoPackage
  const client = new MongoClient(url)
  await client.connect()
  return {
    ask(name, input) {
      const verb = verbOf(name)
      if (verb === 'getMore') throw new Error('The rest of a cursor is not read in a sandbox.')
      const { collection, database, transaction: _, ...command } = BSON.EJSON.deserialize(input as object, { relaxed: false })
      const [, of = String(database), target = 1] = /^([^.]*)\.(.*)$/.exec(String(collection)) ?? []
      return client.db(of).command({ [verb]: target, ...command })
    },
    close: () => client.close(),
  }
}

/** Of a second database they stand beside its number. Credentials in them are as the agent gave them. */
function argumentsOf(input: unknown): readonly unknown[] {
  return bareArguments(Array.isArray(input) ? input : (input as { readonly args: readonly unknown[] }).args)
}

function verbOf(name: string): string {
  return name.slice(name.indexOf(' ') + 1)
}

/** Loads a driver from the project's packages. All of these are CommonJS. */
function load(name: string): unknown {
  return createRequire(path.join(process.cwd(), 'package.json'))(name)
}
