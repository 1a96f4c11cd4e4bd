import type * as mongodb from 'mongodb'
import { type DriverProgram, failure } from './driver-program.ts'

interface Order {
  readonly _id: string
  readonly total: number
}

const orders = (client: mongodb.MongoClient): mongodb.Collection<Order> => client.db('shop').collection<Order>('orders')

/** The package mongodb. */
export const program: DriverProgram<mongodb.MongoClient> = {
  server: 'mongo',
  open({ port, load }) {
    const { MongoClient } = load('mongodb') as typeof mongodb
    return new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`)
  },
  close: (client) => client.close(),
  async prepare(client) {
    await orders(client).deleteMany({})
    await orders(client).insertMany([1, 2, 3, 4, 5].map((number) => ({ _id: `ord_${number}`, total: number * 10 })))
  },
  flows: {
    query: async (client) => await orders(client).findOne({ _id: 'ord_1' }),
    write: async (client) => [
      await orders(client).insertOne({ _id: 'ord_9', total: 9 }),
      await orders(client).updateOne({ _id: 'ord_1' }, { $set: { total: 7 } }),
      await orders(client).deleteOne({ _id: 'ord_9' }),
    ],
    cursor: async (client) => {
      const read: unknown[] = []
      for await (const order of orders(client).find({}, { batchSize: 2 }).sort({ _id: 1 })) read.push(order)
      return read
    },
    aggregation: async (client) =>
      await orders(client)
        .aggregate([{ $match: { total: { $gt: 10 } } }, { $group: { _id: null, sum: { $sum: '$total' } } }])
        .toArray(),
    transaction: async (client) => {
      const session = client.startSession()
      const failed = await failure(() =>
        session.withTransaction(async () => {
          await orders(client).updateOne({ _id: 'ord_1' }, { $set: { total: 1 } }, { session })
          throw new RangeError('no')
        }),
      )
      await session.endSession()
      return [failed, await orders(client).findOne({ _id: 'ord_1' })]
    },
    error: (client, { load }) =>
      failure(() => orders(client).insertOne({ _id: 'ord_1', total: 1 }), (load('mongodb') as typeof mongodb).MongoServerError),
    types: async (client, { load }) => {
      const { Long, Binary, ObjectId } = load('mongodb') as typeof mongodb
      const values = client.db('shop').collection('values')
      await values.deleteMany({})
      await values.insertOne({
        _id: new ObjectId('64b7f3a2c1d2e3f4a5b6c7d8'),
        long: Long.fromString('9007199254740993'),
        bytes: new Binary(Buffer.from([0, 255])),
        at: new Date(0),
      })
      return await values.findOne({}, { promoteLongs: false })
    },
    parallel: async (client) => await Promise.all([1, 2, 3, 4, 5].map((number) => orders(client).findOne({ _id: `ord_${number}` }))),
  },
}
