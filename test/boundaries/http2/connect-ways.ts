import { Code, ConnectError } from '@connectrpc/connect'
import { expect } from 'vitest'
import { replay } from '../../../src/replay/replay.ts'
import { recordRun, rowsOf } from '../../support/record-run.ts'
import { createConnectShop, type ConnectShop, type ShopMessage } from './connect-client.ts'
import { listenShop } from './shop-server.ts'

export type Way = (shop: ConnectShop) => Promise<unknown>

/** What an agent sees of an error. */
export function seen(error: unknown): unknown {
  const { code, rawMessage, metadata } = ConnectError.from(error)
  return [Code[code], rawMessage, metadata.get('x-detail')]
}

export async function read(messages: AsyncIterable<ShopMessage>): Promise<unknown[]> {
  const ids: unknown[] = []
  try {
    for await (const { id } of messages) ids.push(id)
  } catch (error) {
    ids.push(seen(error))
  }
  return ids
}

export async function* all(messages: readonly ShopMessage[]): AsyncGenerator<ShopMessage> {
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

/** What an agent does with the client, and the steps that it makes. */
export const ways: readonly (readonly [form: string, way: Way, steps: readonly string[]])[] = [
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

/** A step as the ways name them. */
export const print = (name: string, input: unknown): string => `${name.replace('grpc shop.Orders/', '')}(${JSON.stringify(input)})`

/** Records a way, and replays it so many times with the server gone. */
export async function expectReplays(
  way: Way,
  steps: readonly string[],
  { compresses, times }: { readonly compresses: boolean; readonly times: number },
): Promise<void> {
  const server = await listenShop()
  const agent = (): Promise<unknown> => way(createConnectShop(`http://${server.host}`, { compresses }))
  const { output, trace } = await recordRun(agent)
  server.stop()
  const made = trace.steps.map(({ name, input }) => print(name, input))
  // Messages are compressed in other threads, so that calls at once may go out in any order.
  const [before, after] = compresses ? [steps.toSorted(), made.toSorted()] : [steps, made]
  expect(after).toEqual(before)
  expect(rowsOf(trace, 'note')).toEqual([])
  for (let time = 0; time < times; time += 1) {
    const run = await replay(trace, agent)
    expect(run.divergences).toEqual([])
    expect(run.outcome).toEqual({ status: 'returned', output })
  }
}
