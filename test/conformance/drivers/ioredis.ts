import type { Redis } from 'ioredis'
import { type DriverProgram, failure } from './driver-program.ts'

/** The package ioredis. */
export const program: DriverProgram<Redis> = {
  server: 'redis',
  open({ port, load }) {
    const { default: Client } = load('ioredis') as { readonly default: new (port: number, host: string) => Redis }
    return new Client(port, '127.0.0.1')
  },
  close: (redis) => redis.quit(),
  async prepare(redis) {
    await redis.flushall()
    await redis.set('order', 'ord_1')
    await redis.hset('ord_1', { total: '12.50', city: 'Zürich' })
    for (let number = 0; number < 30; number += 1) await redis.sadd('numbers', number)
  },
  flows: {
    query: async (redis) => [await redis.get('order'), await redis.hgetall('ord_1'), await redis.get('nothing'), await redis.incr('count')],
    binary: async (redis) => [await redis.set('photo', Buffer.from([0, 255, 13, 10])), await redis.getBuffer('photo')],
    pipeline: async (redis) => {
      const results = await redis.pipeline().get('order').incr('order').hget('ord_1', 'city').exec()
      return results?.map(([error, value]) => [error?.message, value])
    },
    transaction: async (redis) => await redis.multi().set('order', 'ord_2').get('order').incr('count').exec(),
    error: (redis) => failure(() => redis.incr('ord_1')),
    script: async (redis) => await redis.eval("return {redis.call('get', KEYS[1]), ARGV[1]}", 1, 'order', 'a'),
    stream: async (redis) => {
      const read: unknown[] = []
      for await (const keys of redis.sscanStream('numbers', { count: 10 })) read.push(keys)
      return read
    },
    parallel: async (redis) => await Promise.all([1, 2, 3, 4, 5, 6].map((n) => redis.incrby('sum', n))),
    callbacks: (redis) =>
      new Promise((resolve) => {
        void redis.incr('ord_1', (error) => {
          void redis.get('order', (_error, value) => resolve([error?.message, value]))
        })
      }),
  },
}
