import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import Cursor from 'pg-cursor'
import QueryStream from 'pg-query-stream'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Gate, startGate } from '../support/gate.ts'
import { holdDriver } from '../support/hold-driver.ts'
import { type Service, startPostgres } from '../support/services.ts'

let server: Service
let gate: Gate
beforeAll(async () => {
  server = await startPostgres()
  gate = await startGate(server.port)
})
afterAll(async () => {
  await gate[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const address = (): object => ({ port: gate.port, host: '127.0.0.1', user: 'postgres', database: 'postgres' })
const message = (error: unknown): string => (error as Error).message

async function connected(): Promise<pg.Client> {
  const client = new pg.Client(address())
  client.on('error', () => undefined)
  await client.connect()
  return client
}

async function kill(pid: unknown): Promise<void> {
  const other = await connected()
  await other.query('SELECT pg_terminate_backend($1)', [pid])
  await other.end()
}

/** The agent's client is lost in a query, and asked again. @param wait Is waited for before it is. */
const losing = (wait: () => unknown) => async (): Promise<unknown[]> => {
  const client = await connected()
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const slow = client.query('SELECT pg_sleep(2)').catch(message)
  await setTimeout(30)
  await kill(rows[0]?.pid)
  const seen: unknown[] = [await slow]
  await wait()
  seen.push(await client.query('SELECT 1').catch(message))
  seen.push(await client.query('SELECT $1', [2]).catch(message))
  seen.push(await new Promise((resolve) => client.query('SELECT 3', (error: Error) => resolve(message(error)))))
  const query = client.query(new pg.Query('SELECT 4'))
  seen.push(await new Promise((resolve) => query.on('error', (error) => resolve(message(error)))))
  const cursor = client.query(new Cursor('SELECT 5'))
  seen.push(await cursor.read(1).catch(message), await cursor.read(1).catch(message))
  const reading = client.query(new QueryStream('SELECT 6')).toArray() as Promise<unknown>
  seen.push(await reading.catch(message))
  return seen
}

it.each([
  ['at once', () => undefined],
  ['a turn later', () => new Promise((resolve) => setImmediate(resolve))],
  ['some time later', () => setTimeout(20)],
])('replays a client that is asked again after its backend was killed: %s', async (_when, wait) => {
  for (let time = 0; time < 5; time += 1) {
    const agent = losing(wait)
    await holdDriver({ gate, open: () => undefined, close: () => undefined, agent }, 3)
  }
})

it('records queries on a lost client as steps', async () => {
  const { trace, output } = await holdDriver({ gate, open: () => undefined, close: () => undefined, agent: losing(() => setTimeout(20)) })
  const refused = 'Client has encountered a connection error and is not queryable'
  expect(output).toEqual(['terminating connection due to administrator command', ...Array<string>(7).fill(refused)])
  const steps = trace.steps.filter(({ error }) => error?.message === refused)
  expect(steps.map(({ input }) => (input as { readonly sql: string }).sql)).toEqual([1, '$1', 3, 4, 5, 6].map((n) => `SELECT ${n}`))
})

it('replays a client that is asked again right after it was lost, and refuses nonsense as pg does', async () => {
  const agent = async (): Promise<unknown[]> => {
    const client = await connected()
    const seen: unknown[] = []
    seen.push(await client.query('SELECT pg_terminate_backend(pg_backend_pid())').catch(message))
    seen.push(await client.query('SELECT 1').catch(message))
    seen.push(await client.query('SELECT 2').catch(message))
    await setTimeout(20)
    seen.push(await client.query('SELECT 3').catch(message))
    try {
      void client.query(null as unknown as string)
    } catch (error) {
      seen.push(message(error))
    }
    return seen
  }
  const { output } = await holdDriver({ gate, open: () => undefined, close: () => undefined, agent })
  expect(output).toEqual([
    'terminating connection due to administrator command',
    'Connection terminated unexpectedly',
    'Client has encountered a connection error and is not queryable',
    'Client has encountered a connection error and is not queryable',
    'Client was passed a null or undefined query',
  ])
})
