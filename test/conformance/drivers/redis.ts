import type * as redis from 'redis'
import { type DriverProgram, failure } from './driver-program.ts'

type Client = redis.RedisClientType

/** The package redis. */
export const program: DriverProgram<Client> = {
  server: 'redis',
  async open({ port, load }) {
    const client = (load('redis') as typeof redis).createClient({ socket: { port, host: '127.0.0.1' } }) as unknown as Client
    client.on('error', () => undefined)
    await client.connect()
    return client
  },
  // Called differently since version 5.
  close: (client) => ('close' in client ? client.close() : (client as { quit(): unknown }).quit()),
  async prepare(client) {
    await client.flushAll()
    await client.set('order', 'ord_1')
    await client.hSet('ord_1', { total: '12.50', city: 'Zürich' })
    await client.sAdd('numbers', ['1', '2', '3'])
  },
  flows: {
    query: async (client) => [
      await client.get('order'),
      await client.hGetAll('ord_1'),
      await client.get('nothing'),
      await client.incr('count'),
    ],
    members: async (client) => await client.sMembers('numbers'),
    transaction: async (client) => await client.multi().set('order', 'ord_2').get('order').incr('count').exec(),
    error: (client, { load }) => failure(() => client.incr('ord_1'), (load('redis') as { readonly ErrorReply?: unknown }).ErrorReply),
    script: async (client) => await client.eval("return {redis.call('get', KEYS[1]), ARGV[1]}", { keys: ['order'], arguments: ['a'] }),
    iterator: async (client) => {
      const read: unknown[] = []
      for await (const keys of client.scanIterator({ COUNT: 2 })) read.push(keys)
      return read
    },
    command: async (client) => await client.sendCommand(['STRLEN', 'order']),
    parallel: async (client) => await Promise.all([1, 2, 3, 4, 5, 6].map((n) => client.incrBy('sum', n))),
  },
}
