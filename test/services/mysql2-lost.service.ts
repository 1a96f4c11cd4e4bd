import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Connection } from 'mysql2'
import mysql from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordRun, startRecorder } from '../support/record-run.ts'
import { type Service, startMariadb } from '../support/services.ts'
import { replay } from '../../src/replay/replay.ts'

let server: Service
let watch: mysql.Connection
beforeAll(async () => {
  server = await startMariadb()
  watch = await mysql.createConnection(options())
})
afterAll(async () => {
  await watch.end()
  await server[Symbol.asyncDispose]()
})

/** What the driver says of a connection that is closed. */
const closed = "Can't add new command when connection is in closed state"

/** Nobody listens at this port. */
const refused = 9

const options = (more: mysql.PoolOptions = {}): mysql.PoolOptions => ({
  port: server.port,
  host: '127.0.0.1',
  user: 'agent',
  database: 'test',
  ...more,
})

/** Uses a pool, and ends it. */
async function withPool(more: mysql.PoolOptions, use: (db: mysql.Pool) => Promise<unknown>): Promise<unknown> {
  const db = mysql.createPool(options(more))
  try {
    return await use(db)
  } finally {
    await db.end()
  }
}

type Agent = () => Promise<unknown>

/** Records an agent, and replays it six times, each as it was. Then it replays another one, which has to differ. */
async function holds(agent: Agent, changed: Agent, meanwhile: () => Promise<void> | undefined = () => undefined): Promise<unknown> {
  const recording = recordRun(agent)
  await meanwhile()
  const { trace, output, text } = await recording
  expect(text).not.toContain('unrecorded-contact')
  for (let time = 0; time < 6; time += 1) {
    const { divergences, outcome } = await replay(trace, agent)
    expect([divergences, outcome]).toEqual([[], { status: 'returned', output }])
  }
  expect((await replay(trace, changed)).divergences).not.toEqual([])
  return output
}

/** The connections that sleep. */
async function sleeping(): Promise<readonly mysql.RowDataPacket[]> {
  const select = "SELECT id FROM information_schema.processlist WHERE info LIKE 'SELECT SLEEP%'"
  return (await watch.query<mysql.RowDataPacket[]>(select))[0]
}

/** Waits until a connection sleeps, and kills it. @param before What is done before. */
async function killSleeping(before: () => unknown = () => undefined): Promise<void> {
  let asleep = await sleeping()
  while (asleep.length === 0) asleep = await sleeping()
  before()
  for (const { id } of asleep) await watch.query('KILL ?', [id])
  while (asleep.length > 0) asleep = await sleeping()
}

const codeOf = (error: unknown): unknown => (error as { readonly code?: unknown }).code ?? (error as Error).message
const ask = (db: Pick<mysql.Pool, 'query'>, sql: string): Promise<unknown> => db.query(sql).then(([rows]) => rows, codeOf)

/** Ends its pool where it hears of the answer. */
const endingInCallback = (more: mysql.PoolOptions, sql: string) => (): Promise<unknown> => {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  const { pool: db } = mysql.createPool(options(more))
  db.query(sql, (error) => db.end((failure) => resolve([codeOf(error), failure ? codeOf(failure) : 'ended'])))
  return promise
}

describe('a pool that is refused', () => {
  const ways: Readonly<Record<string, (db: mysql.Pool, sql: string) => Promise<unknown>>> = {
    query: (db, sql) => db.query(sql),
    execute: (db, sql) => db.execute(sql),
    async stream(db, sql) {
      for await (const row of db.pool.query(sql).stream()) return row
    },
    async connection(db, sql) {
      const client = await db.getConnection()
      return await client.query(sql)
    },
  }
  const reasons: Readonly<Record<string, mysql.PoolOptions>> = {
    ECONNREFUSED: { port: refused },
    ER_ACCESS_DENIED_ERROR: { user: 'nobody', password: 'wrong' },
    ER_BAD_DB_ERROR: { database: 'nothing' },
  }
  const cases = Object.keys(ways).flatMap((way) => Object.keys(reasons).map((code) => [way, code] as const))

  it.each(cases)('fails with the error of the driver, and can be ended: %s, %s', async (way, code) => {
    const agent =
      (sql: string, more = reasons[code]) =>
      () =>
        withPool({ ...more }, async (db) => {
          try {
            return await ways[way]?.(db, sql)
          } catch (error) {
            return codeOf(error)
          }
        })
    const changed = agent(way === 'connection' ? 'SELECT 7' : 'SELECT 8')
    expect(await holds(agent('SELECT 7'), async () => [await changed()])).toBe(code)
  })

  it('refuses queries that wait for a connection', async () => {
    const agent = (count: number) => () =>
      withPool({ port: refused, connectionLimit: 2 }, (db) => Promise.all(Array.from({ length: count }, (_, n) => ask(db, `SELECT ${n}`))))
    expect(await holds(agent(5), agent(6))).toEqual(Array.from({ length: 5 }, () => 'ECONNREFUSED'))
  })

  it('is ended in the callback that tells the error', async () => {
    expect(await holds(endingInCallback({ port: refused }, 'SELECT 1'), endingInCallback({ port: refused }, 'SELECT 2'))).toEqual([
      'ECONNREFUSED',
      'ended',
    ])
  })

  it('refuses one try after another', async () => {
    const agent = (count: number) => () =>
      withPool({ port: refused }, async (db) => {
        const codes: unknown[] = []
        for (let n = 0; n < count; n += 1) {
          try {
            await db.query('SELECT 1')
          } catch (error) {
            codes.push(codeOf(error))
          }
        }
        return codes
      })
    expect(await holds(agent(3), agent(2))).toEqual(['ECONNREFUSED', 'ECONNREFUSED', 'ECONNREFUSED'])
  })
})

describe('a connection that the server kills', () => {
  it.each(['query', 'execute'] as const)('is no longer in the pool when the agent tries again: %s', async (method) => {
    const agent = (again: string) => () =>
      withPool({}, async (db) => {
        const lost: unknown[] = []
        for (let n = 0; n < 3; n += 1) {
          try {
            const sql = n > 0 ? again : 'SELECT SLEEP(60)'
            const [rows] = await (method === 'query' ? db.query(sql) : db.execute(sql))
            return [lost, rows]
          } catch (error) {
            lost.push(codeOf(error))
          }
        }
        return lost
      })
    expect(await holds(agent('SELECT 7 AS a'), agent('SELECT 8 AS a'), () => killSleeping())).toEqual([
      ['PROTOCOL_CONNECTION_LOST'],
      [{ a: 7 }],
    ])
  })

  it('is no longer in the pool when a callback tries again', async () => {
    const agent = (again: string) => () =>
      withPool({ connectionLimit: 1 }, (db) => {
        const { promise, resolve } = Promise.withResolvers<unknown>()
        const attempt = (sql: string): unknown => db.pool.query(sql, (error, rows) => (error === null ? resolve(rows) : attempt(again)))
        attempt('SELECT SLEEP(60)')
        return promise
      })
    expect(await holds(agent('SELECT 7 AS a'), agent('SELECT 8 AS a'), () => killSleeping())).toEqual([{ a: 7 }])
  })

  it('refuses ROLLBACK by itself', async () => {
    const agent = (end: 'rollback' | 'release') => () =>
      withPool({}, async (db) => {
        const client = await db.getConnection()
        let refusal: unknown
        try {
          await client.beginTransaction()
          await client.query('SELECT SLEEP(60)')
          await client.commit()
          return 'committed'
        } catch (error) {
          if (end === 'rollback') await client.rollback().catch((another: unknown) => (refusal = codeOf(another)))
          else await db.query('ROLLBACK')
          return [codeOf(error), refusal]
        } finally {
          client.release()
        }
      })
    expect(await holds(agent('rollback'), agent('release'), () => killSleeping())).toEqual(['PROTOCOL_CONNECTION_LOST', closed])
  })

  it('gives way to those who wait for it', async () => {
    const agent = (last: string) => () =>
      withPool({ connectionLimit: 1 }, (db) => Promise.all([ask(db, 'SELECT SLEEP(60)'), ask(db, 'SELECT 2 AS n'), ask(db, last)]))
    expect(await holds(agent('SELECT 3 AS n'), agent('SELECT 4 AS n'), () => killSleeping())).toEqual([
      'PROTOCOL_CONNECTION_LOST',
      [{ n: 2 }],
      [{ n: 3 }],
    ])
  })

  it('is lost for all that was asked of it, and for its end', async () => {
    const agent = (sql: string) => async () => {
      const db = await mysql.createConnection(options())
      const lost = await Promise.all([ask(db, 'SELECT SLEEP(60)'), ask(db, sql), db.execute(sql).catch(codeOf)])
      const late = await ask(db, 'SELECT 3')
      await db.end()
      return [...lost, late]
    }
    expect(await holds(agent('SELECT 1'), agent('SELECT 2'), () => killSleeping())).toEqual([
      'PROTOCOL_CONNECTION_LOST',
      'PROTOCOL_CONNECTION_LOST',
      'PROTOCOL_CONNECTION_LOST',
      closed,
    ])
  })

  it('has left the pool when the callback that tells the error ends it', async () => {
    const agent = (sql: string): Agent => endingInCallback({}, sql)
    expect(await holds(agent('SELECT SLEEP(60)'), agent('SELECT SLEEP(61)'), () => killSleeping())).toEqual([
      'PROTOCOL_CONNECTION_LOST',
      'ended',
    ])
  })

  it('refuses what is asked of it much later', async () => {
    const agent = (late: string) => () =>
      withPool({}, async (db) => {
        const client = await db.getConnection()
        const [{ id } = { id: 0 }] = (await client.query<mysql.RowDataPacket[]>('SELECT CONNECTION_ID() AS id'))[0]
        const asleep = ask(client, 'SELECT SLEEP(60)')
        await db.query('KILL ?', [id])
        const lost = await asleep
        await db.query('SELECT 1')
        return [lost, await ask(client, 'SELECT 2'), await ask(db, late)]
      })
    expect(await holds(agent('SELECT 3 AS n'), agent('SELECT 4 AS n'))).toEqual(['PROTOCOL_CONNECTION_LOST', closed, [{ n: 3 }]])
  })

  it('is lost for what its callback asks', async () => {
    const agent = (again: string) => () =>
      withPool({}, (db) => {
        const { promise, resolve } = Promise.withResolvers<unknown>()
        db.pool.getConnection((_error, client) => {
          client.query('SELECT SLEEP(60)', (error) => {
            client.query(again, (another) => resolve([error, another].map(codeOf)))
          })
        })
        return promise
      })
    expect(await holds(agent('SELECT 1'), agent('SELECT 2'), () => killSleeping())).toEqual([
      'PROTOCOL_CONNECTION_LOST',
      'PROTOCOL_CONNECTION_LOST',
    ])
  })

  it('fails the end of a pool that waits for it', async () => {
    const agent = (sql: string) => async () => {
      const db = mysql.createPool(options())
      await db.query('SELECT 1')
      const asleep = ask(db, sql)
      await new Promise(setImmediate)
      return await Promise.all([asleep, db.end().then(() => 'ended', codeOf)])
    }
    expect(await holds(agent('SELECT SLEEP(60)'), agent('SELECT SLEEP(61)'), () => killSleeping())).toEqual([
      'PROTOCOL_CONNECTION_LOST',
      'PROTOCOL_CONNECTION_LOST',
    ])
  })
})

/** Opens a connection, and has the server kill it while nothing is asked of it. */
async function openLost(): Promise<mysql.Connection> {
  const db = await mysql.createConnection(options())
  const lost = once(db, 'error')
  await watch.query('KILL ?', [db.threadId])
  await lost.catch(() => undefined)
  return db
}

/** Records an agent with a lost connection, and replays it six times, each time with one that is open. Then the same with another agent, which has to differ. */
async function holdsLost(agent: (db: mysql.Connection) => Promise<unknown>, changed: typeof agent): Promise<unknown> {
  await using recorder = await startRecorder()
  const lost = await openLost()
  const { trace, output, text } = await recorder.record(() => agent(lost))
  expect(text).not.toContain('unrecorded-contact')
  const again = async (which: typeof agent): ReturnType<typeof replay> =>
    await replay(trace, async () => await which(await mysql.createConnection(options())))
  for (let time = 0; time < 6; time += 1) {
    const { divergences, outcome } = await again(agent)
    expect([divergences, outcome]).toEqual([[], { status: 'returned', output }])
  }
  expect((await again(changed)).divergences).not.toEqual([])
  return output
}

describe('a connection that is lost while nothing is asked of it', () => {
  it.each(['query', 'execute', 'prepare'] as const)('refuses what a run asks, each call in a step: %s', async (way) => {
    const agent = (sql: string) => async (db: mysql.Connection) => {
      const both = [sql, 'SELECT 2'].map(async (each): Promise<unknown> => await (way === 'query' ? db.query(each) : db[way](each)))
      const codes = (await Promise.allSettled(both)).map((settled) => settled.status === 'rejected' && codeOf(settled.reason))
      const another = await mysql.createConnection(options())
      const answer = [...codes, await db.rollback().catch(codeOf), await ask(another, 'SELECT 3 AS n')]
      await another.end()
      return answer
    }
    expect(await holdsLost(agent('SELECT 1'), agent('SELECT 4'))).toEqual([closed, closed, closed, [{ n: 3 }]])
  })

  it('refuses what a callback asks', async () => {
    const agent = (sql: string) => async (db: mysql.Connection) => {
      const { promise, resolve } = Promise.withResolvers<unknown>()
      const { connection } = db as unknown as { readonly connection: Connection }
      connection.query('SELECT 1', (error) => connection.query(sql, (another) => resolve([error, another].map(codeOf))))
      return await promise
    }
    expect(await holdsLost(agent('SELECT 2'), agent('SELECT 3'))).toEqual([closed, closed])
  })

  it('has a ping noted, which a replay answers', async () => {
    await using recorder = await startRecorder()
    const db = await openLost()
    const { text, output } = await recorder.record(() => db.ping().catch(codeOf))
    expect(output).toBe(closed)
    expect(text).toContain('mysql2 ping')
  })

  it('refuses what the run that opened it asks of it', async () => {
    const agent = (sql: string) => async () => {
      const db = mysql.createPool(options())
      const client = await db.getConnection()
      const waits = new Promise((resolve) => setTimeout(resolve, 300))
      const [[{ id } = { id: 0 }]] = await client.query<mysql.RowDataPacket[]>('SELECT CONNECTION_ID() AS id')
      await watch.query('KILL ?', [id])
      await waits
      const codes = [await ask(client, sql), await client.rollback().catch(codeOf)]
      client.release()
      const answer = [...codes, await ask(db, 'SELECT 3 AS n')]
      await db.end()
      return answer
    }
    expect(await holds(agent('SELECT 1'), agent('SELECT 2'))).toEqual([closed, closed, [{ n: 3 }]])
  })

  it('refuses what a run asks that does not know how an earlier one lost it', async () => {
    const db = await mysql.createConnection(options())
    await using recorder = await startRecorder()
    await Promise.all([recorder.record(() => ask(db, 'SELECT SLEEP(60)')), killSleeping()])
    const agent = (sql: string) => (client: mysql.Connection) => ask(client, sql)
    const { trace, output } = await recorder.record(() => agent('SELECT 1')(db))
    expect(output).toBe(closed)
    const again = async (sql: string): ReturnType<typeof replay> =>
      await replay(trace, async () => await agent(sql)(await mysql.createConnection(options())))
    expect((await again('SELECT 1')).divergences).toEqual([])
    expect((await again('SELECT 2')).divergences).not.toEqual([])
  })
})

it.each(['ECONNRESET', 'PROTOCOL_CONNECTION_LOST'])('tells a client of a pool how it is lost: %s', async (code) => {
  const sockets: Socket[] = []
  const proxy = createServer((socket) => {
    const behind = connect(server.port, '127.0.0.1')
    for (const each of [socket, behind]) each.on('error', () => undefined)
    sockets.push(socket)
    socket.pipe(behind).pipe(socket)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const { port } = proxy.address() as AddressInfo
  const agent = (late: string) => () =>
    withPool({ port }, async (db) => {
      const log: unknown[] = []
      const client = await db.getConnection()
      client.on('error', (error) => log.push(codeOf(error)))
      log.push(['lost', await ask(client, 'SELECT SLEEP(60)')])
      log.push(await client.rollback().catch(codeOf), await ask(db, late))
      return log
    })
  const cut = (): void => {
    for (const socket of sockets.splice(0)) void (code === 'ECONNRESET' ? socket.resetAndDestroy() : socket.destroy())
  }
  const log = [...(code === 'ECONNRESET' ? [code] : []), ['lost', code], closed, [{ n: 1 }]]
  expect(await holds(agent('SELECT 1 AS n'), agent('SELECT 2 AS n'), () => killSleeping(cut))).toEqual(log)
  proxy.close()
})
