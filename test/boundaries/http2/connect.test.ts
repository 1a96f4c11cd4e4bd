import { Code, ConnectError } from '@connectrpc/connect'
import { expect, it } from 'vitest'
import { replay } from '../../../src/replay/replay.ts'
import { recordRun, rowsOf, startRecorder } from '../../support/record-run.ts'
import { expectClean, toGoldenTrace } from '../../support/replay-clean.ts'
import { createConnectShop, type ConnectShop, type ShopMessage } from './connect-client.ts'
import { listenShop } from './shop-server.ts'

type Way = (shop: ConnectShop) => Promise<unknown>

/** What an agent sees of an error. */
function seen(error: unknown): unknown {
  const { code, rawMessage, metadata } = ConnectError.from(error)
  return [Code[code], rawMessage, metadata.get('x-detail')]
}

async function read(messages: AsyncIterable<ShopMessage>): Promise<unknown[]> {
  const ids: unknown[] = []
  try {
    for await (const { id } of messages) ids.push(id)
  } catch (error) {
    ids.push(seen(error))
  }
  return ids
}

async function* all(messages: readonly ShopMessage[]): AsyncGenerator<ShopMessage> {
  yield* messages
}

/** Says a word for each that is heard. */
async function converse(shop: ConnectShop): Promise<unknown[]> {
  const heard: string[] = []
  let next = Promise.withResolvers<string>()
  const asked = async function* (): AsyncGenerator<ShopMessage> {
    for (let time = 0; time < 3; time += 1) yield { id: `after ${await next.promise}` }
  }
  for await (const { id = '' } of shop.talk(asked())) {
    heard.push(id)
    const { resolve } = next
    next = Promise.withResolvers()
    resolve(id)
  }
  return heard
}

const ways: readonly (readonly [form: string, way: Way, steps: readonly string[]])[] = [
  ['a unary call', async (shop) => (await shop.get({ id: 'one' })).id, ['Get({"message":{"1":"one"}})']],
  ['an error', (shop) => shop.get({ id: 'missing' }).catch(seen), ['Get({"message":{"1":"missing"}})']],
  ['a deadline', (shop) => shop.get({ id: 'never' }, { timeoutMs: 500 }).catch(seen), ['Get({"message":{"1":"never"}})', 'Get cancel([])']],
  [
    'a cancellation',
    async (shop) => {
      const controller = new AbortController()
      const failed = shop.get({ id: 'never' }, { signal: controller.signal }).catch(seen)
      await shop.get({ id: 'one' })
      controller.abort()
      return await failed
    },
    ['Get({"message":{"1":"never"}})', 'Get({"message":{"1":"one"}})', 'Get cancel([])'],
  ],
  ['a stream of the server', (shop) => read(shop.watch({ id: 'a', count: 3 })), ['Watch({"message":{"1":"a","2":3}})']],
  [
    'a stream of the server that breaks',
    (shop) => read(shop.watch({ id: 'broken', count: 2 })),
    ['Watch({"message":{"1":"broken","2":2}})'],
  ],
  [
    'a stream of the server that the agent leaves',
    async (shop) => {
      const ids: unknown[] = []
      for await (const { id } of shop.watch({ id: 'endless', count: 5 })) if (ids.push(id) === 2) break
      return ids
    },
    // Connect only stops reading.
    ['Watch({"message":{"1":"endless","2":5}})'],
  ],
  [
    'a stream of the client',
    (shop) => shop.sum(all([1, 2, 3].map((count) => ({ id: `${count}`, count })))),
    ['Sum({"message":{"1":"1","2":1}})', 'Sum send({"1":"2","2":2})', 'Sum send({"1":"3","2":3})', 'Sum end([])'],
  ],
  ['a stream of the client without messages', (shop) => shop.sum(all([])), ['Sum({})', 'Sum end([])']],
  [
    'a conversation that the server begins',
    converse,
    [
      'Talk({})',
      'Talk send({"1":"after welcome"})',
      'Talk send({"1":"after AFTER WELCOME"})',
      'Talk send({"1":"after AFTER AFTER WELCOME"})',
      'Talk end([])',
    ],
  ],
  [
    'several calls at once',
    async (shop) => {
      const order: unknown[] = []
      await Promise.all(['slow', 'one', 'two'].map(async (id) => order.push((await shop.get({ id })).id)))
      return order
    },
    ['Get({"message":{"1":"slow"}})', 'Get({"message":{"1":"one"}})', 'Get({"message":{"1":"two"}})'],
  ],
]

const print = (name: string, input: unknown): string => `${name.replace('grpc shop.Orders/', '')}(${JSON.stringify(input)})`

const compressed = ways.map(([form, way, steps]) => [`${form}, compressed,`, way, steps, true] as const)

it.each([...ways.map((each) => [...each, false] as const), ...compressed])(
  'replays %s of a client of Connect with the server gone',
  async (...[, way, steps, compresses]) => {
    const server = await listenShop()
    const agent = (): Promise<unknown> => way(createConnectShop(`http://${server.host}`, { compresses }))
    const { output, trace } = await recordRun(agent)
    server.stop()
    const made = trace.steps.map(({ name, input }) => print(name, input))
    // Messages are compressed in other threads, so that calls at once may go out in any order.
    const [before, after] = compresses ? [steps.toSorted(), made.toSorted()] : [steps, made]
    expect(after).toEqual(before)
    expect(rowsOf(trace, 'note')).toEqual([])
    for (let time = 0; time < 20; time += 1) {
      const run = await replay(trace, agent)
      expect(run.divergences).toEqual([])
      expect(run.outcome).toEqual({ status: 'returned', output })
    }
  },
)

it('keeps eight runs of a shared client of Connect apart', async () => {
  await using server = await listenShop()
  const shop = createConnectShop(`http://${server.host}`)
  await shop.get({ id: 'before' })
  const agent = async (name: string): Promise<unknown> => [
    (await shop.get({ id: `${name} a` })).id,
    await read(shop.watch({ id: `${name} b`, count: 2 })),
    await read(shop.talk(all([{ id: `${name} c` }, { id: `${name} d` }]))),
  ]
  await using recorder = await startRecorder()
  const names = Array.from({ length: 8 }, (_, index) => `run ${index}`)
  const runs = await Promise.all(names.map((name) => recorder.record(() => agent(name), {})))
  const { calls } = server
  for (const [index, { trace }] of runs.entries()) {
    const name = names[index] ?? ''
    const said = JSON.stringify(trace.steps.map(({ input }) => input)).match(/run \d \w/g)
    expect(said).toEqual(['a', 'b', 'c', 'd'].map((part) => `${name} ${part}`))
    await expectClean(trace, () => agent(name))
    await expectClean(toGoldenTrace(trace), () => agent(name))
  }
  expect(server.calls).toBe(calls)
})

it.each<readonly [string, (shop: ConnectShop, word: string) => Promise<unknown>, string]>([
  ['the message of a call', (shop, word) => shop.get({ id: word }), 'grpc shop.Orders/Get'],
  ['a message of a stream', (shop, word) => read(shop.talk(all([{ id: 'a' }, { id: word }]))), 'grpc shop.Orders/Talk send'],
  ['the version in the headers', (shop, word) => shop.get({ id: 'a' }, { headers: { 'shop-version': word } }), 'grpc shop.Orders/Get'],
])('reports a change of %s of a client of Connect', async (_what, way, name) => {
  await using server = await listenShop()
  const shop = createConnectShop(`http://${server.host}`)
  const { trace } = await recordRun(() => way(shop, 'word'))
  const { calls } = server
  await expectClean(trace, () => way(shop, 'word'))
  const run = await replay(trace, () => way(shop, 'other').catch(() => 'caught'))
  expect(run.divergences[0]).toMatchObject({ cause: 'input', name, consequence: false })
  expect([run.outcome.status, server.calls]).toEqual(['stopped', calls])
})

it('reports a message of a client of Connect that is no longer sent, and a call that is no longer left', async () => {
  await using server = await listenShop()
  const shop = createConnectShop(`http://${server.host}`)
  const words = [{ id: 'a' }, { id: 'b' }]
  const { trace } = await recordRun(() => read(shop.talk(all(words))))
  expect((await replay(trace, () => read(shop.talk(all(words.slice(1)))))).divergences).not.toEqual([])
  expect((await replay(trace, () => read(shop.talk(all([...words, { id: 'c' }]))))).divergences).not.toEqual([])
  const watch = (most: number) => async (): Promise<unknown> => {
    const ids: unknown[] = []
    for await (const { id } of shop.watch({ id: 'endless', count: 2 })) if (ids.push(id) === most) break
    return ids
  }
  const left = await recordRun(watch(1))
  expect((await replay(left.trace, watch(2))).divergences).not.toEqual([])
})

it('writes no secret of a client of Connect to the disk', async () => {
  await using server = await listenShop()
  const secret = 'sk-proj-Zx8Qm2Vt7Lk4Rw9Yb3Nc6Hd1Jf5Gp0Sa'
  const shop = createConnectShop(`http://${server.host}`, { compresses: true })
  const agent = async (): Promise<unknown> => {
    const answered = await shop.get({ id: secret }, { headers: { 'x-access-token': secret } })
    return [answered.id?.length, await shop.get({ id: 'missing' }).catch(seen)]
  }
  const { trace, text } = await recordRun(agent)
  expect(text).toContain('sk-')
  for (const part of [secret, Buffer.from(secret).toString('base64')]) expect(text.includes(part), part).toBe(false)
  const run = await replay(trace, agent)
  expect([run.divergences, run.outcome.status]).toEqual([[], 'returned'])
})

it('refuses a call of a client of Connect that the trace does not have, also over a session that is open', async () => {
  await using server = await listenShop()
  const shop = createConnectShop(`http://${server.host}`)
  await shop.get({ id: 'before' })
  const { calls } = server
  const { trace } = await recordRun(() => 'nothing')
  const run = await replay(trace, () => shop.get({ id: 'one' }).catch(() => 'caught'))
  expect(run.divergences).toMatchObject([{ cause: 'unexpected-call', name: 'grpc shop.Orders/Get' }])
  expect(server.calls).toBe(calls)
})

it('replays a call that is left before its message was sent', async () => {
  const server = await listenShop()
  const shop = createConnectShop(`http://${server.host}`)
  const agent = async (): Promise<unknown> => {
    const controller = new AbortController()
    const later = async function* (): AsyncGenerator<ShopMessage> {
      await new Promise((resolve) => setTimeout(resolve, 40))
      yield { id: 'late' }
    }
    setTimeout(() => controller.abort(), 20)
    return await shop.sum(later(), { signal: controller.signal }).catch(seen)
  }
  const { output, trace } = await recordRun(agent)
  expect(trace.steps.map(({ name, input }) => print(name, input))).toEqual(['Sum({"unsent":true})', 'Sum cancel([])'])
  await expectClean(trace, agent)
  // Nothing is known of a message that was not sent in the recording.
  const early = async (): Promise<unknown> => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 20)
    return await shop.sum(all([{ id: 'early' }]), { signal: controller.signal }).catch(seen)
  }
  server.stop()
  expect((await replay(trace, early)).outcome).toEqual({ status: 'returned', output })
})
