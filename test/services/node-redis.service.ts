import { createClient, createClientPool, ErrorReply, MultiErrorReply, RESP_TYPES, SimpleError, VerbatimString, WatchError } from 'redis'
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
  const setup = await open()
  await setup.mSet({ 'order:1': 'paid', 'order:2': 'öpen ☃' })
  await setup.hSet('user:1', { name: 'Ada', age: 36 })
  await setup.set('binary', Buffer.from([0, 255, 254, 10, 13]))
  setup.destroy()
})
afterEach(() => gate.open())
afterAll(async () => {
  await gate[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

type Client = ReturnType<typeof make>
const make = (options: object = {}) => createClient({ socket: { host: '127.0.0.1', port: gate.port }, ...options })
const open = async (options: object = {}): Promise<Client> => {
  const client = make(options)
  client.on('error', () => undefined)
  await client.connect()
  return client
}
const close = (client: Client): unknown => client.isOpen && client.close()
const expectHeld = (agent: (client: Client) => unknown, options: object = {}): Promise<HeldDriver> =>
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
  if (!(value instanceof Error)) return value
  const classes = [ErrorReply, SimpleError, MultiErrorReply, WatchError].map((each) => value instanceof each)
  return [value.constructor.name, classes, String(value), Object.entries(value).map(told)]
}

it('replays commands: texts, numbers, hashes, bytes', async () => {
  const { trace } = await expectHeld(async (client) => {
    const bytes = client.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer })
    return [
      await client.get('order:1'),
      await client.get('order:2'),
      await client.get('none'),
      await client.hGetAll('user:1'),
      await bytes.get('binary'),
      await client.incr('count'),
      await client.mGet(['order:1', 'none']),
    ]
  })
  expect(trace.steps.map(({ name, input, effect, output }) => [name, input, effect, output])).toEqual([
    ['redis GET', ['order:1'], 'read', 'paid'],
    ['redis GET', ['order:2'], 'read', 'öpen ☃'],
    ['redis GET', ['none'], 'read', null],
    ['redis HGETALL', ['user:1'], 'read', { name: 'Ada', age: '36' }],
    ['redis GET', ['binary'], 'read', Buffer.from([0, 255, 254, 10, 13])],
    ['redis INCR', ['count'], 'write', 1],
    ['redis MGET', ['order:1', 'none'], 'read', ['paid', null]],
  ])
})

it('replays an error of the server as one of the driver', async () => {
  await expectHeld((client) => client.lPush('order:1', 'x').catch(told))
})

it('replays transactions and pipelines as one step each, with errors inside', async () => {
  const { trace } = await expectHeld(async (client) => {
    const done = await client.multi().set('a', '1').incr('a').hGetAll('user:1').exec()
    const failed: unknown = await client.multi().set('b', '2').lPush('b', 'x').exec().catch(told)
    const aborted: unknown = await client.multi().set('c', '3').addCommand(['NOCOMMAND']).exec().catch(told)
    const pipelined = await client.multi().get('a').hGetAll('user:1').execAsPipeline()
    const broken: unknown = await client.multi().get('a').lPush('a', 'x').execAsPipeline().catch(told)
    await client.watch('b')
    const other = await open()
    await other.set('b', '9')
    other.destroy()
    const watched: unknown = await client.multi().get('b').exec().catch(told)
    return [done, failed, aborted, pipelined, broken, watched]
  })
  expect(trace.steps.map(({ name, effect }) => [name, effect]).slice(0, 5)).toEqual([
    ['redis MULTI', 'write'],
    ['redis MULTI', 'write'],
    ['redis MULTI', 'write'],
    ['redis PIPELINE', 'read'],
    ['redis PIPELINE', 'write'],
  ])
  expect(trace.steps[0]?.input).toEqual([
    ['SET', 'a', '1'],
    ['INCR', 'a'],
    ['HGETALL', 'user:1'],
  ])
})

it('replays scripts, iterators, consumer groups and blocking commands', async () => {
  await expectHeld(async (client) => {
    const scripted = [
      await client.eval("return {KEYS[1], redis.call('INCRBY', KEYS[1], ARGV[1])}", { keys: ['n'], arguments: ['2'] }),
      await client.evalSha('0'.repeat(40)).catch(told),
    ]
    const keys: string[] = []
    for await (const found of client.scanIterator({ MATCH: '*order*', COUNT: 1 })) keys.push(...found)
    await client.del('stream')
    await client.xGroupCreate('stream', 'group', '0', { MKSTREAM: true })
    await client.xAdd('stream', '1-1', { field: 'value' })
    const group = await client.xReadGroup('group', 'me', { key: 'stream', id: '>' }, { COUNT: 1 })
    const other = client.duplicate()
    await other.connect()
    const popped = other.blPop('list', 5)
    await client.rPush('list', 'item')
    const result = [scripted, keys.toSorted(), group, await popped, await client.blPop('nolist', 0.01)]
    await other.close()
    return result
  })
})

it('replays RESP3 and RESP2, maps and sets, doubles, numbers as strings and bytes', async () => {
  for (const RESP of [2, 3])
    await expectHeld(
      async (client) => {
        const mapped = client.withTypeMapping({ [RESP_TYPES.MAP]: Map, [RESP_TYPES.SET]: Set, [RESP_TYPES.NUMBER]: String })
        const bytes = client.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer, [RESP_TYPES.MAP]: Map })
        const all = await client.hGetAll('user:1')
        await client.sAdd('set', ['x', 'y'])
        return [
          Object.getPrototypeOf(all) === null,
          all,
          await client.zAdd('scores', [
            { value: 'a', score: 1.5 },
            { value: 'b', score: 2 },
          ]),
          await client.zScore('scores', 'a'),
          await client.zRangeWithScores('scores', 0, -1),
          await mapped.hGetAll('user:1'),
          await mapped.sMembers('set'),
          await mapped.strLen('order:1'),
          await bytes.get('binary'),
          await bytes.hGetAll('user:1'),
          await client.configGet('maxmemory'),
          await client.sendCommand(['HGETALL', 'user:1']),
        ]
      },
      { RESP },
    )
})

it('replays replies in every form that a client maps them to', async () => {
  const { trace } = await expectHeld(
    async (client) => {
      const texts = client.withTypeMapping({ [RESP_TYPES.VERBATIM_STRING]: VerbatimString, [RESP_TYPES.DOUBLE]: String })
      const bytes = client.withTypeMapping({
        [RESP_TYPES.VERBATIM_STRING]: Buffer,
        [RESP_TYPES.SIMPLE_STRING]: Buffer,
      })
      const lists = client.withTypeMapping({ [RESP_TYPES.MAP]: Array, [RESP_TYPES.BIG_NUMBER]: String, [RESP_TYPES.SET]: Set })
      const kinds = [
        'return {double=1.5}',
        "return {big_number='123456789012345678901234567890'}",
        "return {verbatim_string={string='# title', format='mkd'}}",
        'return {map={one=1}}',
        'return {set={one=true}}',
        'return true',
        "return {ok='fine'}",
      ]
      const seen: unknown[] = []
      for (const mapped of [client, texts, bytes, lists])
        for (const kind of kinds) {
          const reply: unknown = await mapped.eval(`redis.setresp(3); ${kind}`)
          seen.push(reply instanceof VerbatimString ? ['verbatim', reply.format, String(reply), reply.length] : reply)
        }
      const both = await texts.multi().eval(`redis.setresp(3); ${kinds[2]}`).zScore('scores', 'a').exec()
      const [verbatim] = both as unknown as [unknown]
      return [...seen, verbatim instanceof VerbatimString, String(verbatim)]
    },
    { RESP: 3 },
  )
  const outputs = trace.steps.map(({ output }) => output)
  expect(outputs[1]).toBe(123456789012345678901234567890n)
  expect(outputs.slice(7, 11)).toEqual(['1.5', 123456789012345678901234567890n, { 'verbatim:mkd': '# title' }, { one: 1 }])
})

it('replays a pool and a client whose replies are mapped from the start', async () => {
  await expectHeld(async () => {
    const pool = createClientPool({ RESP: 3, socket: { port: gate.port, host: '127.0.0.1' } })
    pool.on('error', () => undefined)
    await pool.connect()
    const bytes = pool.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer, [RESP_TYPES.MAP]: Map })
    const own = await open({ RESP: 3, commandOptions: { typeMapping: { [RESP_TYPES.MAP]: Map, [RESP_TYPES.BLOB_STRING]: Buffer } } })
    const seen = [await bytes.get('binary'), await bytes.hGetAll('user:1'), await pool.hGetAll('user:1')]
    const more = [await own.get('binary'), await own.hGetAll('user:1'), await own.multi().hGetAll('user:1').exec()]
    await pool.close()
    await own.close()
    return [seen, more]
  })
})

it('replays calls that are not awaited, aborted calls, and concurrent calls', async () => {
  const { trace } = await expectHeld(async (client) => {
    void client.set('left', 'alone')
    const controller = new AbortController()
    const aborted = client
      .withAbortSignal(controller.signal)
      .get('order:1')
      .catch((error: Error) => [error.constructor.name, error.message])
    controller.abort()
    const many = await Promise.all(Array.from({ length: 500 }, (_, index) => client.get(`order:${index % 3}`)))
    const rows = await client.rPush(
      'rows',
      Array.from({ length: 10_000 }, (_, index) => `row ${index}`),
    )
    return [await aborted, many, rows, await client.lRange('rows', 0, 9999), await client.del('rows')]
  })
  expect(trace.steps).toHaveLength(505)
})

it('replays a client that is opened in the run, with listeners, and closed', async () => {
  const { trace, output } = await recordRun(opensItself)
  gate.shut()
  for (let time = 0; time < 3; time += 1) {
    const run = await replay(trace, opensItself)
    expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output }])
  }
  expect(gate.refused).toBe(0)
  gate.open()
  expect(trace.steps.map(({ name, input }) => [name, input])).toEqual([
    ['redis GET', ['order:1']],
    ['redis PING', []],
    ['redis SELECT', ['1']],
    ['redis GET', ['order:2']],
    ['redis GET', ['order:2']],
  ])
})

async function opensItself(): Promise<unknown> {
  const client = make()
  const heard = new Promise((resolve) => client.once('ready', () => resolve(client.get('order:1'))))
  await client.connect()
  const values: unknown[] = [await heard, await client.ping(), await client.select(1), await client.get('order:2')]
  await client.close()
  values.push(await client.get('order:2').catch((error: Error) => [error.constructor.name, error.message]))
  return values
}

it('replays a connection that is lost', async () => {
  await expectHeld(
    async (client) => {
      const lost = client.blPop('nothing', 0).catch((error: Error) => [error.constructor.name, error.message])
      const killer = await open()
      await killer.sendCommand(['CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes'])
      killer.destroy()
      return [await lost, await client.get('order:1').catch((error: Error) => [error.constructor.name, error.message])]
    },
    { socket: { host: '127.0.0.1', port: gate.port, reconnectStrategy: false } },
  )
})

it('gives each of eight runs on one client or pool, opened before, its own steps', async () => {
  const agent = (run: number) => async (client: Pick<Client, 'get' | 'set' | 'multi'>) => {
    const one = await client.get(`key:${run}:0`)
    const several = await Promise.all([1, 2, 3].map((n) => client.set(`key:${run}:${n}`, n)))
    const together = await client.multi().get(`key:${run}:4`).get(`key:${run}:5`).exec()
    return [one, several, together, await client.get(`key:${run}:6`)]
  }
  // With fewer connections than commands at once, the order is the pool's own: docs/doors.md.
  for (const maximum of [undefined, 32, 1]) {
    const openOne = async (): Promise<Pick<Client, 'get' | 'set' | 'multi' | 'destroy'>> => {
      if (maximum === undefined) return open()
      const pool = make().createPool({ minimum: maximum, maximum })
      pool.on('error', () => undefined)
      await pool.connect()
      return pool
    }
    const shared = await openOne()
    await shared.get('none')
    const runs = await Promise.all(Array.from({ length: 8 }, (_, run) => recordRun(() => agent(run)(shared))))
    shared.destroy()
    gate.shut()
    for (const [run, { trace, output, text }] of runs.entries()) {
      const keys = trace.steps.map(({ input }) => (input as readonly unknown[]).flat().filter((part) => String(part).startsWith('key')))
      expect(keys.flat()).toEqual([0, 1, 2, 3, 4, 5, 6].map((n) => `key:${run}:${n}`))
      expect(text).not.toContain('unrecorded-contact')
      const replayed = await replay(trace, async () => {
        const fresh = await openOne()
        const result: unknown = await agent(run)(fresh)
        fresh.destroy()
        return result
      })
      expect([replayed.divergences, replayed.outcome]).toEqual([[], { status: 'returned', output }])
    }
    expect(gate.refused).toBe(0)
    gate.open()
  }
})

it('goes red at the command that changed, and flags a write that is made twice', async () => {
  const agent =
    (key: string, times = 1) =>
    async (client: Client) => {
      await client.get('order:1')
      for (let time = 0; time < times; time += 1) await client.incr(key)
      await client.multi().incr(key).exec()
    }
  const held = await expectHeld(agent('total', 2))
  expect(held.text).toContain('repeated-side-effect')
  expect((await held.replay(agent('sum', 2))).divergences[0]).toMatchObject({ cause: 'input', step: 2, name: 'redis INCR' })
  expect((await held.replay(agent('total', 3))).divergences[0]).toMatchObject({ cause: 'unexpected-call', name: 'redis INCR' })
})

it('notes what is published and refuses it in a replay', async () => {
  const agent = async (): Promise<unknown> => {
    const client = await open()
    const done = await client.subscribe('news', () => undefined).then(String, String)
    client.destroy()
    return done
  }
  const { trace, text } = await recordRun(agent)
  expect(text).toContain('redis subscribe')
  expect((await replay(trace, agent)).divergences).toMatchObject([{ cause: 'unrecorded-contact', name: 'redis subscribe' }])
})

it('keeps no secret of parameters, replies and errors', async () => {
  const { text } = await expectHeld(async (client) => {
    const bytes = client.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer })
    for (const [index, secret] of secrets.entries()) {
      await client.set(`secret:${index}`, secret)
      await client.get(`secret:${index}`)
      await bytes.get(`secret:${index}`)
      await client.hSet('secrets', { [`field ${index}`]: `${index}: ${secret}` })
      await client.multi().get(`secret:${index}`).exec()
      await client.lPush(`secret:${index}`, secret).catch(() => undefined)
      await client.sendCommand(['AUTH', 'nobody', `swordfish${index}`]).catch(() => undefined)
    }
    return Object.keys(await client.hGetAll('secrets')).length
  })
  for (const [index, secret] of secrets.entries())
    for (const planted of [secret, Buffer.from(secret).toString('base64'), `swordfish${index}`]) expect(text).not.toContain(planted)
})

it('replays once the server is stopped', async () => {
  const stopped = await startRedis()
  const agent = async (): Promise<unknown> => {
    const redis = await createClient({ url: `redis://127.0.0.1:${stopped.port}` }).connect()
    const values = [await redis.set('order', 'paid'), await redis.get('order')]
    await redis.close()
    return values
  }
  const { trace, output } = await recordRun(agent)
  await stopped[Symbol.asyncDispose]()
  const run = await replay(trace, agent)
  expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output }])
})

it('notes what a client is published that was opened before', async () => {
  const client = await open()
  const { text } = await recordRun(async () => {
    await client.get('order:1')
    await client.subscribe('news', () => undefined)
  })
  client.destroy()
  expect(text).toContain('redis subscribe')
})

it('answers a fork from another database', async () => {
  const agent = async (client: Client): Promise<unknown> => {
    const before = await client.get('order:1')
    const both = await client.multi().set('order:1', 'shipped').get('order:1').exec()
    return [before, both, await client.hGetAll('cart')]
  }
  const real = await open()
  await real.set('order:1', 'packed')
  const { trace } = await recordRun(() => agent(real))
  await real.set('order:1', 'packed')
  const url = `redis://127.0.0.1:${server.port}/1`
  const clone = await createClient({ url }).connect()
  await clone.set('order:1', 'lost')
  await clone.hSet('cart', 'tea', '2')
  gate.shut()
  const run = await fork(
    trace,
    async () => {
      const fresh = await open()
      const output = await agent(fresh)
      await close(fresh)
      return output
    },
    { at: 1, sandbox: { redis: url }, route: { redis: 'run' } },
  )
  gate.open()
  expect(run.outcome).toEqual({ status: 'returned', output: ['lost', ['OK', 'shipped'], { tea: '2' }] })
  expect([await clone.get('order:1'), await real.get('order:1')]).toEqual(['shipped', 'packed'])
  await clone.close()
  await real.close()
})

it('goes red where a command is aborted before it is sent, and not where it is aborted later', async () => {
  const agent = async (client: Client, when: 'never' | 'before' | 'at once' | 'later'): Promise<string> => {
    const controller = new AbortController()
    if (when === 'before') controller.abort()
    const set = client
      .withAbortSignal(controller.signal)
      .set('aborted', 'no')
      .catch(() => undefined)
    if (when === 'at once') controller.abort()
    const other = client.get('order:1')
    await other
    if (when === 'later') controller.abort()
    await set
    return 'done'
  }
  const held = await expectHeld((client) => agent(client, 'never'))
  expect((await held.replay((client: Client) => agent(client, 'later'))).divergences).toEqual([])
  for (const when of ['before', 'at once'] as const)
    expect((await held.replay((client: Client) => agent(client, when))).divergences).toMatchObject([
      { cause: 'unexpected-call', received: { args: ['aborted', 'no'], aborted: true } },
    ])
  await expectHeld((client) => agent(client, 'at once'))
  await expectHeld((client) => agent(client, 'before'))
})
