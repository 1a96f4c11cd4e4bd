import { Redis } from 'ioredis'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { createClient } from 'redis'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { external } from '../../src/run/external.ts'
import { recordRun } from '../support/record-run.ts'
import { type Service, startMariadb, startPostgres, startRedis } from '../support/services.ts'
import { replay } from '../../src/replay/replay.ts'
import { fork } from '../../src/travel/fork.ts'

let ofPostgres: Service
let ofMysql: Service
let ofRedis: Service
beforeAll(async () => {
  ofPostgres = await startPostgres()
  ofMysql = await startMariadb()
  ofRedis = await startRedis()
})
afterAll(async () => {
  for (const service of [ofPostgres, ofMysql, ofRedis]) await service[Symbol.asyncDispose]()
})

const secretOf = (number: number): string => `hunter${String(number).padStart(2, '0')}secret`
const secrets = /hunter\d\dsecret/g

/** Records an agent, expects none of its secrets in the trace, and replays it. */
async function expectWithoutSecrets(agent: () => Promise<unknown>): Promise<{ readonly text: string; readonly output: unknown }> {
  const { trace, text, output } = await recordRun(agent)
  expect(text.match(secrets) ?? []).toEqual([])
  for (let time = 0; time < 2; time += 1) {
    const run = await replay(trace, agent)
    expect(run.divergences).toEqual([])
  }
  return { text, output }
}

const failureOf = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => expect.fail('should have failed'),
    ({ message, sql }: Error & { readonly sql?: string }) => `${message} ${sql ?? ''}`,
  )

it('keeps no password of a statement of mysql2 that fails', async () => {
  await expectWithoutSecrets(async () => {
    const db = await mysql.createConnection({ port: ofMysql.port, host: '127.0.0.1', user: 'agent', database: 'test' })
    const failures = [
      await failureOf(db.query('insert into missing set ?', { password: secretOf(1) })),
      await failureOf(db.query(`update missing set \`password\` = '${secretOf(2)}' where id = 1`)),
      await failureOf(db.query(`create user zz identified by '${secretOf(3)}' nonsense`)),
      await failureOf(db.query('select * from missing where ?', { password: secretOf(4) })),
      await failureOf(db.query(`select 1 from missing where password = ${JSON.stringify(secretOf(5))} nonsense`)),
    ]
    await db.end()
    // An agent hands on what failed.
    return await external('tell', async (said: unknown) => said)(failures)
  })
})

it('keeps no password of a statement of pg that fails', async () => {
  await expectWithoutSecrets(async () => {
    const db = new pg.Client({ port: ofPostgres.port, host: '127.0.0.1', user: 'postgres', database: 'postgres' })
    await db.connect()
    const failures = [
      await failureOf(db.query(`alter role nobody_x password E'${secretOf(1)}'`)),
      await failureOf(db.query(`alter role nobody_x password $$${secretOf(2)}$$`)),
      await failureOf(db.query(`update missing set "password" = '${secretOf(3)}'`)),
      await failureOf(db.query(`alter role nobody_x with password '${secretOf(4)}' valid until 'x`)),
      await failureOf(db.query(`select password '${secretOf(5)}'`)),
    ]
    await db.end()
    return await external('tell', async (said: unknown) => said)(failures)
  })
})

it('keeps no password of commands and replies of ioredis', async () => {
  const { output } = await expectWithoutSecrets(async () => {
    const client = new Redis(ofRedis.port, '127.0.0.1')
    const failure = await failureOf(client.acl('SETUSER', 'u9', `<${secretOf(1)}`))
    await client.hset('u', { name: 'Ada', password: secretOf(2) })
    await client.hsetnx('v', 'password', secretOf(3))
    await client.xadd('s', '*', 'name', 'Ada', 'password', secretOf(4))
    await client.set('u:api_key', secretOf(5))
    const told = [
      await client.hget('u', 'password'),
      await client.hmget('u', 'name', 'password'),
      await client.hgetall('u'),
      (await client.hgetBuffer('u', 'password'))?.toString(),
      (await client.xrange('s', '-', '+'))[0]?.[1],
      await client.get('u:api_key'),
      await client.multi().hget('u', 'password').hgetall('u').exec(),
      await client.pipeline().hget('u', 'password').exec(),
    ]
    // Redis 7 does not know it.
    const unknown: unknown = await client.call('HSETEX', 'u', 'FIELDS', '1', 'password', secretOf(6)).catch(({ message }: Error) => message)
    await client.del('u', 'v', 's', 'u:api_key')
    await client.quit()
    await external('tell', async (said: unknown) => said)([failure, unknown, told])
    return told.length
  })
  expect(output).toBe(8)
})

it('keeps no password of commands and replies of node-redis', async () => {
  for (const RESP of [2, 3] as const) {
    await expectWithoutSecrets(async () => {
      const client = createClient({ socket: { port: ofRedis.port, host: '127.0.0.1' }, RESP })
      await client.connect()
      await client.hSet('u', { name: 'Ada', password: secretOf(2) })
      const told = [
        await client.hGet('u', 'password'),
        await client.hmGet('u', ['name', 'password']),
        await client.hGetAll('u'),
        await client.multi().hGet('u', 'password').hGetAll('u').exec(),
        await client.configGet('requirepass'),
      ]
      await client.del('u')
      await client.close()
      await external('tell', async (said: unknown) => said)(told)
      return told.length
    })
  }
})

it('asks a clone with the stand-in of a password in a fork, and keeps none', async () => {
  let asksMore = false
  const agent = async (): Promise<unknown> => {
    const client = new Redis(ofRedis.port, '127.0.0.1')
    await client.get('a')
    const seen: unknown[] = []
    if (asksMore) {
      await client.hset('u', 'password', secretOf(7))
      seen.push(await client.hget('u', 'password'), (await client.hgetall('u'))['password'])
      await client.del('u')
    }
    await client.quit()
    return seen
  }
  const { trace } = await recordRun(agent)
  asksMore = true
  const standIn = expect.not.stringContaining(secretOf(7))
  const run = await fork(trace, agent, { at: 1, sandbox: { ioredis: `redis://127.0.0.1:${ofRedis.port}` }, route: { ioredis: 'run' } })
  expect(run.outcome).toEqual({ status: 'returned', output: [standIn, standIn] })
  expect(JSON.stringify(run.toTrace().rows).match(secrets) ?? []).toEqual([])
})
