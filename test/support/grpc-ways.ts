import { Metadata, type ServiceError } from '@grpc/grpc-js'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { replay } from '../../src/replay/replay.ts'
import { recordRun, rowsOf } from './record-run.ts'
import { type Asked, createShopClient, getOrder, listenShop, type OrdersClient } from '../boundaries/http2/shop-server.ts'

type Way = (client: OrdersClient) => Promise<unknown>

/** What an agent sees of an error. */
export function seen(error: unknown): unknown {
  const { code, details, message, metadata } = error as ServiceError
  return { code, details, message, metadata: metadata?.getMap(), isError: error instanceof Error }
}

async function read(stream: AsyncIterable<unknown>): Promise<unknown[]> {
  const messages: unknown[] = []
  try {
    for await (const message of stream) messages.push(message)
  } catch (error) {
    messages.push(seen(error))
  }
  return messages
}

function assertNever(): never {
  throw new Error('no number')
}

export const ways: readonly (readonly [form: string, way: Way, steps: readonly string[]])[] = [
  ['a unary call', (client) => getOrder(client, 'one'), ['Get({"message":{"1":"one"}})']],
  [
    'a unary call with its metadata and status',
    async (client) => {
      const events: unknown[] = []
      const call = client.Get({ id: 'one' }, (error: unknown, value: { id: string }) => events.push(['answer', error, value.id]))
      call.on('metadata', (metadata: Metadata) => events.push(['metadata', metadata.get('x-serial').length]))
      const [{ code, details, metadata }] = (await once(call, 'status')) as [ServiceError]
      return [events, code, details, metadata.get('x-detail'), metadata.get('x-detail-bin')]
    },
    ['Get({"message":{"1":"one"}})'],
  ],
  ['an error', (client) => getOrder(client, 'missing').catch(seen), ['Get({"message":{"1":"missing"}})']],
  [
    'a deadline',
    (client) => getOrder(client, 'never', new Metadata(), { deadline: Date.now() + 80 }).catch(seen),
    ['Get({"message":{"1":"never"}})'],
  ],
  [
    'a cancellation',
    async (client) => {
      let cancel = (): void => undefined
      const failed = new Promise((resolve) => {
        const call = client.Get({ id: 'never' }, resolve)
        cancel = () => call.cancel()
        call.on('metadata', () => cancel())
      })
      return seen(await failed)
    },
    ['Get({"message":{"1":"never"}})', 'Get cancel({"code":1,"details":"Cancelled on client"})'],
  ],
  ['a stream of the server', (client) => read(client.Watch({ id: 'a', count: 3 })), ['Watch({"message":{"1":"a","2":3}})']],
  [
    'a stream of the server that breaks',
    (client) => read(client.Watch({ id: 'broken', count: 2 })),
    ['Watch({"message":{"1":"broken","2":2}})'],
  ],
  [
    'a stream of the server that the agent leaves',
    async (client) => {
      const stream = client.Watch({ id: 'endless', count: 2 })
      const ids: unknown[] = []
      stream.on('data', ({ id }: Asked) => {
        ids.push(id)
        if (ids.length === 2) stream.cancel()
      })
      const [error] = (await once(stream, 'error')) as unknown[]
      return [ids, seen(error)]
    },
    ['Watch({"message":{"1":"endless","2":2}})', 'Watch cancel({"code":1,"details":"Cancelled on client"})'],
  ],
  [
    'a stream of the client',
    (client) =>
      new Promise((resolve, reject) => {
        const stream = client.Sum((error: Error | null, value: unknown) => (error === null ? resolve(value) : reject(error)))
        for (let count = 1; count <= 4; count += 1) stream.write({ id: `${count}`, count })
        stream.end()
      }),
    ['Sum({})', ...[1, 2, 3, 4].map((count) => `Sum send({"1":"${count}","2":${count}})`), 'Sum end([])'],
  ],
  [
    'a stream of the server that the agent no longer reads',
    async (client) => {
      const ids: unknown[] = []
      const stream = client.Watch({ id: 'a', count: 4 })
      for await (const { id } of stream as AsyncIterable<Asked>) {
        ids.push(id)
        if (ids.length === 2) break
      }
      return [ids, stream.destroyed]
    },
    ['Watch({"message":{"1":"a","2":4}})'],
  ],
  [
    'a stream that waits to write again',
    async (client) => {
      const stream = client.Talk()
      for (const id of ['a', 'b', 'c']) await new Promise<void>((resolve) => stream.write({ id }, () => resolve()))
      stream.end()
      const heard: unknown[] = []
      for await (const { id } of stream as AsyncIterable<Asked>) heard.push(id)
      return heard
    },
    ['Talk({})', 'Talk send({"1":"a"})', 'Talk send({"1":"b"})', 'Talk send({"1":"c"})', 'Talk end([])'],
  ],
  [
    'a message that cannot be sent',
    async (client) => {
      const bad = { id: 'x', count: { toString: () => assertNever() } } as unknown as Asked
      return await new Promise((resolve) => client.Get(bad, (error: unknown) => resolve(seen(error))))
    },
    ['Get({})', 'Get cancel({"code":13,"details":"Request message serialization failure: no number"})'],
  ],
  [
    'a stream of the client without messages',
    (client) =>
      new Promise((resolve, reject) => {
        client.Sum((error: Error | null, value: unknown) => (error === null ? resolve(value) : reject(error))).end()
      }),
    ['Sum({})', 'Sum end([])'],
  ],
  [
    'a conversation',
    async (client) => {
      const stream = client.Talk()
      const heard: unknown[] = []
      for await (const { id } of stream as AsyncIterable<Asked>) {
        heard.push(id)
        if (heard.length < 4) stream.write({ id: `after ${String(id)}` })
        else stream.end()
      }
      return heard
    },
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
    (client) => {
      const order: string[] = []
      const get = async (id: string): Promise<void> => {
        await getOrder(client, id)
        order.push(id)
      }
      return Promise.all([get('slow'), get('one'), get('two')]).then(() => order)
    },
    ['Get({"message":{"1":"slow"}})', 'Get({"message":{"1":"one"}})', 'Get({"message":{"1":"two"}})'],
  ],
]

const print = (name: string, input: unknown): string => `${name.replace('grpc shop.Orders/', '')}(${JSON.stringify(input)})`

export function testGrpcWays(cases: readonly (typeof ways)[number][]): void {
  it.each(cases)('replays %s with the server gone', async (_form, way, steps) => {
    const server = await listenShop()
    const agent = async (): Promise<unknown> => {
      const client = createShopClient(server.host)
      try {
        return await way(client)
      } finally {
        client.close()
      }
    }
    const { output, trace } = await recordRun(agent)
    server.stop()
    expect(trace.steps.map(({ name, input }) => print(name, input))).toEqual(steps)
    expect(rowsOf(trace, 'note')).toEqual([])
    for (let time = 0; time < 4; time += 1) {
      const run = await replay(trace, agent)
      expect(run.divergences).toEqual([])
      expect(run.outcome).toEqual({ status: 'returned', output })
    }
  })
}
