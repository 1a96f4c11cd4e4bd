import { Redis, ReplyError } from 'ioredis'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { replay } from '../../src/replay/replay.ts'
import { fork } from '../../src/travel/fork.ts'
import { type Gate, startGate } from '../support/gate.ts'
import { type HeldDriver, holdDriver } from '../support/hold-driver.ts'
import { recordRun } from '../support/record-run.ts'
import { type Service, startRedis } from '../support/services.ts'

let server: Service
let gate: Gate
beforeAll(async () => {
  server = await startRedis()
  gate = await startGate(server.port)
  const setup = open()
  await setup.mset({ 'order:1': 'paid', 'order:2': 'öpen ☃' })
  await setup.hset('user:1', { name: 'Ada', age: 36 })
  await setup.set('binary', Buffer.from([0, 255, 254, 10, 13]))
  await setup.quit()
})
afterEach(() => gate.open())
afterAll(async () => {
  await gate[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const open = (options: object = {}): Redis => new Redis(gate.port, '127.0.0.1', options)
const close = (redis: Redis): unknown => redis.quit().catch(() => undefined)
const expectHeld = (agent: (redis: Redis) => unknown, options: object = {}): Promise<HeldDriver> =>
  holdDriver({ gate, open: () => open(options), close, agent })

/** Secrets, none of which a recording may have. */
const secrets: readonly string[] = [
  `sk-proj-${'a1B2c3D4'.repeat(6)}`,
  `sk-ant-api03-${'x9Y8z7W6'.repeat(11)}AA`,
  `ghp_${'q1W2e3R4t5'.repeat(3)}y6U7i8`,
  `glpat-${'Ab1Cd2Ef3G'.repeat(2)}`,
  `xoxb-123456789012-1234567890123-${'aBcDeF12'.repeat(3)}`,
  `AKIA${'Q3R7T9XZ'.repeat(2)}`,
  `sk_live_${'51Habc9Z'.repeat(3)}`,
  `AIza${'SyD4-x9'.repeat(5)}`,
  `npm_${'aB3dE6gH9k'.repeat(3)}mN2pQr`,
  `hf_${'AbCdEfGhIj'.repeat(3)}KlMn`,
  `SG.${'aB3dE6gH9kLm'.repeat(2).slice(0, 22)}.${'zY8xW7vU6tS5'.repeat(4).slice(0, 43)}`,
  'ada.lovelace@analytical-engines.org',
  'charles+orders@babbage.co.uk',
  '4111 1111 1111 1111',
  '5500005555555559',
  'DE89370400440532013000',
  '536-22-8841',
  '+1 415-555-2671',
  `eyJhbGciOiJIUzI1NiJ9.${Buffer.from('{"sub":"1234567890"}').toString('base64url')}.${'s5V6w7X8'.repeat(5)}abc`,
  'https://admin:hunter2secret@db.internal/orders',
]

/** Errors as what an agent sees of them. */
function told(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(told)
  return value instanceof Error ? [value instanceof ReplyError, String(value), Object.entries(value).map(told)] : value
}

it('replays commands: texts, numbers, hashes, bytes', async () => {
  const { trace } = await expectHeld(async (redis) => [
    await redis.get('order:1'),
    await redis.get('order:2'),
    await redis.get('none'),
    await redis.hgetall('user:1'),
    await redis.getBuffer('binary'),
    await redis.incr('count'),
    await redis.mget('order:1', 'none'),
  ])
  expect(trace.steps.map(({ name, input, effect, output }) => [name, input, effect, output])).toEqual([
    ['ioredis GET', ['order:1'], 'read', 'paid'],
    ['ioredis GET', ['order:2'], 'read', 'öpen ☃'],
    ['ioredis GET', ['none'], 'read', null],
    ['ioredis HGETALL', ['user:1'], 'read', ['name', 'Ada', 'age', '36']],
    ['ioredis GET', ['binary'], 'read', Buffer.from([0, 255, 254, 10, 13])],
    ['ioredis INCR', ['count'], 'write', 1],
    ['ioredis MGET', ['order:1', 'none'], 'read', ['paid', null]],
  ])
})

it('replays an error of the server as one of the driver', async () => {
  await expectHeld(async (redis) => {
    const error: unknown = await redis.lpush('order:1', 'x').catch((thrown: unknown) => thrown)
    return [error instanceof ReplyError, String(error), Object.entries(error as object)]
  })
})

it('replays pipelines and transactions, with errors inside', async () => {
  const { trace } = await expectHeld(async (redis) => {
    const pipelined = await redis.pipeline().set('a', '1').lpush('a', 'x').get('a').hgetall('user:1').exec()
    const done = await redis.multi().set('b', '2').incr('b').lpush('b', 'x').hgetall('user:1').exec()
    const aborted: unknown = await redis.multi().set('c', '3').call('NOCOMMAND').exec().catch(told)
    await redis.multi({ pipeline: false })
    await redis.set('d', '4')
    const inline = await redis.exec()
    await redis.watch('b')
    const other = open()
    await other.set('b', '9')
    other.disconnect()
    const watched = await redis.multi().get('b').exec()
    return told([pipelined, done, aborted, inline, watched])
  })
  expect(trace.steps.filter(({ name }) => name === 'ioredis EXEC').map(({ effect }) => effect)).toEqual(
    Array.from({ length: 4 }, () => 'read'),
  )
})

it('replays scripts, streams of keys, consumer groups and blocking commands', async () => {
  await expectHeld(async (redis) => {
    redis.defineCommand('twice', { numberOfKeys: 1, lua: "return {KEYS[1], redis.call('INCRBY', KEYS[1], ARGV[1])}" })
    const { twice } = redis as unknown as { readonly twice: (key: string, by: number) => Promise<unknown> }
    const scripted = [
      await twice.call(redis, 'n', 2),
      await twice.call(redis, 'n', 3),
      await redis.eval('return {1, 2.5, {ARGV[1]}}', 0, 'x'),
    ]
    const keys: string[] = []
    for await (const found of redis.scanStream({ match: '*order*', count: 1 })) keys.push(...(found as string[]))
    await redis.del('stream')
    await redis.xgroup('CREATE', 'stream', 'group', '0', 'MKSTREAM')
    await redis.xadd('stream', '1-1', 'field', 'value')
    const group = await redis.xreadgroup('GROUP', 'group', 'me', 'COUNT', 1, 'STREAMS', 'stream', '>')
    const other = redis.duplicate()
    const popped = other.blpop('list', 5)
    await redis.rpush('list', 'item')
    const result = [scripted, keys.toSorted(), group, await popped, await redis.blpop('nolist', 0.01)]
    other.disconnect()
    return result
  })
})

it('replays RESP3 and RESP2, maps, doubles, numbers as strings and bytes', async () => {
  for (const options of [{ protocol: 3, replyMapping: 'resp3' }, { protocol: 3 }, { protocol: 2 }, { stringNumbers: true }])
    await expectHeld(
      async (redis) => [
        await redis.hgetall('user:1'),
        await redis.call('ZADD', 'scores', '1.5', 'a', '2', 'b'),
        await redis.zscore('scores', 'a'),
        await redis.zrange('scores', '0', '-1', 'WITHSCORES'),
        await redis.callBuffer('HGETALL', 'user:1'),
        await redis.callBuffer('STRLEN', 'order:1'),
        await redis.call('CONFIG', 'GET', 'maxmemory'),
        await redis.getBuffer('binary'),
        await redis.dumpBuffer('user:1'),
        await redis.set('big', '12345678901234567890'),
        await redis.getBuffer('big'),
      ],
      options,
    )
})

it('replays callbacks, calls that are not awaited, and concurrent calls', async () => {
  const { trace } = await expectHeld(async (redis) => {
    void redis.set('left', 'alone')
    const called = await new Promise((resolve) => void redis.get('order:1', (error, value) => resolve([error, value])))
    const failed = await new Promise((resolve) => void redis.lpush('order:1', 'x', (error) => resolve(error instanceof ReplyError)))
    const many = await Promise.all(Array.from({ length: 500 }, (_, index) => redis.get(`order:${index % 3}`)))
    const rows = await redis.rpush('rows', ...Array.from({ length: 10_000 }, (_, index) => `row ${index}`))
    return [called, failed, many, rows, await redis.lrange('rows', 0, 9999), await redis.del('rows')]
  })
  expect(trace.steps).toHaveLength(506)
})

it('replays a client that is opened in the run, lazily or with listeners', async () => {
  const { trace } = await recordRun(opensItself)
  gate.shut()
  for (let time = 0; time < 3; time += 1) {
    const run = await replay(trace, opensItself)
    expect([run.divergences, run.outcome]).toMatchObject([[], { status: 'returned' }])
  }
  expect(gate.refused).toBe(0)
  gate.open()
  expect(trace.steps.map(({ name, input }) => [name, input])).toEqual([
    ['ioredis GET', ['order:1']],
    ['ioredis PING', []],
    ['ioredis GET', ['order:2']],
    ['ioredis SELECT', ['1']],
    ['ioredis GET', ['order:2']],
    ['ioredis GET', ['order:1']],
  ])
})

async function opensItself(): Promise<unknown> {
  const first = open({ lazyConnect: true })
  const values: unknown[] = [await first.get('order:1'), await first.ping()]
  await first.quit()
  const second = open({ lazyConnect: true })
  await second.connect()
  values.push(await second.get('order:2'), await second.select(1), await second.get('order:2'))
  second.disconnect()
  const third = open()
  values.push(await new Promise((resolve) => third.once('ready', () => resolve(third.get('order:1')))))
  const gone = new Promise((resolve) => third.once('end', resolve))
  await third.quit()
  await gone
  return values
}

it('replays a connection that is lost, and a client that is closed', async () => {
  const options = { retryStrategy: () => null, autoResendUnfulfilledCommands: false }
  await expectHeld(async (redis) => {
    const lost = redis
      .blpop('nothing', 0)
      .catch((error: unknown) => [(error as Error).name, String(error), Object.entries(error as object)])
    const killer = open()
    await killer.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
    await killer.quit()
    const after = await redis.get('order:1').catch(String)
    return [await lost, after]
  }, options)
})

it('gives each of eight runs on one client, opened before, its own steps', async () => {
  for (const options of [{}, { enableAutoPipelining: true }]) {
    const redis = open(options)
    await redis.ping()
    const agent = (run: number) => async (client: Redis) => {
      const one = await client.get(`key:${run}:0`)
      const several = await Promise.all([1, 2, 3].map((n) => client.set(`key:${run}:${n}`, n)))
      const pipelined = await client.pipeline().get(`key:${run}:1`).get(`key:${run}:2`).exec()
      return [one, several, pipelined, await client.get(`key:${run}:3`)]
    }
    const runs = await Promise.all(Array.from({ length: 8 }, (_, run) => recordRun(() => agent(run)(redis))))
    await redis.quit()
    gate.shut()
    for (const [run, { trace, output, text }] of runs.entries()) {
      expect(trace.steps.map(({ input }) => (input as readonly unknown[])[0])).toEqual([0, 1, 2, 3, 1, 2, 3].map((n) => `key:${run}:${n}`))
      expect(text).not.toContain('unrecorded-contact')
      const replayed = await replay(trace, () => agent(run)(open(options)))
      expect([replayed.divergences, replayed.outcome]).toEqual([[], { status: 'returned', output }])
    }
    gate.open()
  }
})

it('goes red at the command that changed, and flags a write that is made twice', async () => {
  const agent =
    (key: string, times = 1) =>
    async (redis: Redis) => {
      await redis.get('order:1')
      for (let time = 0; time < times; time += 1) await redis.incr(key)
    }
  const held = await expectHeld(agent('total', 2))
  expect(held.text).toContain('repeated-side-effect')
  expect((await held.replay(agent('sum', 2) as never)).divergences).toMatchObject([{ cause: 'input', step: 2, name: 'ioredis INCR' }])
  expect((await held.replay(agent('total', 3) as never)).divergences).toMatchObject([{ cause: 'unexpected-call', name: 'ioredis INCR' }])
  const pipelined = await expectHeld((redis) => redis.pipeline().get('order:1').incr('total').exec())
  expect((await pipelined.replay((redis: Redis) => redis.pipeline().get('order:1').incr('sum').exec())).divergences).toMatchObject([
    { cause: 'input', step: 2, name: 'ioredis INCR' },
  ])
})

it('notes what is published and refuses it in a replay', async () => {
  const agent = async (): Promise<unknown> => {
    const redis = open()
    const done = await redis.subscribe('news').catch(String)
    redis.disconnect()
    return done
  }
  const { trace, text } = await recordRun(agent)
  expect(text).toContain('redis subscribe')
  expect((await replay(trace, agent)).divergences).toMatchObject([{ cause: 'unrecorded-contact', name: 'redis subscribe' }])
})

it('keeps no secret of parameters, replies and errors', async () => {
  const { text } = await expectHeld(async (redis) => {
    for (const [index, secret] of secrets.entries()) {
      await redis.set(`secret:${index}`, secret)
      await redis.get(`secret:${index}`)
      await redis.hset('secrets', { [`field ${index}`]: `${index}: ${secret}` })
      await redis.pipeline().lpush(`secret:${index}`, secret).getBuffer(`secret:${index}`).exec()
      await redis.multi().get(`secret:${index}`).exec()
      await redis.lpush(`secret:${index}`, Buffer.from(secret)).catch(() => undefined)
      await redis.call('AUTH', 'nobody', `swordfish${index}`).catch(() => undefined)
    }
    return Object.keys(await redis.hgetall('secrets')).length
  })
  for (const [index, secret] of secrets.entries())
    for (const planted of [secret, Buffer.from(secret).toString('base64'), `swordfish${index}`]) expect(text).not.toContain(planted)
})

it('replays once the server is stopped', async () => {
  const stopped = await startRedis()
  const agent = async (): Promise<unknown> => {
    const redis = new Redis(stopped.port, '127.0.0.1')
    const values = [await redis.set('order', 'paid'), await redis.get('order')]
    await redis.quit()
    return values
  }
  const { trace, output } = await recordRun(agent)
  await stopped[Symbol.asyncDispose]()
  const run = await replay(trace, agent)
  expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output }])
})

it('answers a fork from another database', async () => {
  const agent = async (client: Redis): Promise<unknown> => {
    const before = await client.get('order:1')
    await client.set('order:1', 'shipped')
    const failed: unknown = await client
      .lpush('order:1', 'x')
      .catch((error: unknown) => error instanceof ReplyError && (error as Error).message)
    return [before, await client.get('order:1'), await client.hgetall('cart'), failed]
  }
  const real = open()
  await real.set('order:1', 'packed')
  const { trace } = await recordRun(() => agent(real))
  await real.set('order:1', 'packed')
  const clone = new Redis(`redis://127.0.0.1:${server.port}/1`)
  await clone.mset('order:1', 'lost')
  await clone.hset('cart', { tea: '2' })
  gate.shut()
  const sandbox = { ioredis: `redis://127.0.0.1:${server.port}/1` }
  const run = await fork(
    trace,
    async () => {
      const fresh = open()
      const output = await agent(fresh)
      fresh.disconnect()
      return output
    },
    { at: 1, sandbox, route: { ioredis: 'run' } },
  )
  gate.open()
  const wrong = 'WRONGTYPE Operation against a key holding the wrong kind of value'
  expect(run.outcome).toEqual({ status: 'returned', output: ['lost', 'shipped', { tea: '2' }, wrong] })
  expect([await clone.get('order:1'), await real.get('order:1')]).toEqual(['shipped', 'packed'])
  clone.disconnect()
  real.disconnect()
})
