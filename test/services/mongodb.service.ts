import { once } from 'node:events'
import { GridFSBucket } from 'mongodb'
import {
  Binary,
  Decimal128,
  Long,
  MongoBulkWriteError,
  MongoClient,
  MongoNetworkError,
  MongoServerError,
  ObjectId,
  Timestamp,
  UUID,
} from 'mongodb'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { replay } from '../../src/replay/replay.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { fork } from '../../src/travel/fork.ts'
import { type Gate, startGate } from '../support/gate.ts'
import { holdDriver } from '../support/hold-driver.ts'
import { startMongo } from '../support/mongo-service.ts'
import { recordRun, startRecorder } from '../support/record-run.ts'
import type { Service } from '../support/services.ts'

let server: Service
let gate: Gate
beforeAll(async () => {
  server = await startMongo()
  gate = await startGate(server.port)
})
afterAll(async () => {
  await gate[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const open = (): MongoClient => new MongoClient(`mongodb://127.0.0.1:${gate.port}/?directConnection=true`)
const close = (client: MongoClient): Promise<void> => client.close()

beforeEach(async () => {
  gate.open()
  const client = open()
  await client
    .db('shop')
    .collection('orders')
    .drop()
    .catch(() => undefined)
  await client
    .db('shop')
    .collection<{ _id: string; total: number }>('orders')
    .insertMany([1, 2, 3, 4, 5].map((each) => ({ _id: `ord_${each}`, total: each * 10 })))
  await client.close()
})

const stepsOf = (trace: Trace): unknown[] => trace.steps.map(({ name, input, effect }) => [name, input, effect])
const orders = (client: MongoClient) => client.db('shop').collection<{ _id: string; total: number }>('orders')

it('replays a query: documents, and what it asked for', async () => {
  const { trace } = await holdDriver({ gate, open, close, agent: (client) => orders(client).findOne({ _id: 'ord_1' }) })
  expect(stepsOf(trace)).toEqual([
    ['mongodb find', { collection: 'shop.orders', filter: { _id: 'ord_1' }, limit: 1, singleBatch: true }, 'read'],
  ])
  expect(trace.steps[0]?.output).toEqual({
    cursor: { firstBatch: [{ _id: 'ord_1', total: 10 }], id: { $numberLong: '0' }, ns: 'shop.orders' },
    ok: 1,
  })
})

it('replays ids that the driver and the agent make', async () => {
  const { output } = await holdDriver({
    gate,
    open,
    close,
    agent: async (client) => {
      const events = client.db('shop').collection('events')
      const { insertedId } = await events.insertOne({ at: new Date('2026-01-02T03:04:05Z') })
      const { insertedIds } = await events.insertMany([{ a: 1 }, { _id: new ObjectId(), a: 2 }])
      return [insertedId, insertedIds, await events.find({ _id: insertedId }).toArray(), insertedId instanceof ObjectId]
    },
  })
  expect(output).toMatchObject([{}, {}, [{}], true])
})

it('replays every type of BSON as the class that the driver has for it', async () => {
  const { output } = await holdDriver({
    gate,
    open,
    close,
    agent: async (client) => {
      const values = client.db('shop').collection('values', { promoteValues: true })
      const id = new ObjectId('00112233445566778899aabb')
      await values.deleteMany({})
      await values.insertOne({
        _id: id,
        decimal: Decimal128.fromString('-1.50E+3'),
        long: Long.fromString('9007199254740993'),
        double: 3,
        fraction: 0.1,
        nan: Number.NaN,
        bytes: new Binary(Buffer.from([0, 1, 255])),
        uuid: new UUID('00112233-4455-4677-8899-aabbccddeeff'),
        regexp: /^a+$/i,
        stamp: new Timestamp({ t: 1, i: 2 }),
        nothing: null,
        text: 'Grüße 🎉',
        $odd: { $date: 'no date' },
        nested: [{ deep: [1, [2]] }],
        2: 'two',
      })
      const [plain] = await values.find({ _id: id }).toArray()
      const [raw] = await values.find({ _id: id }, { promoteValues: false }).toArray()
      const [bytes] = await values.find({ _id: id }, { raw: true }).toArray()
      const described = Object.entries({ ...plain }).map(([name, value]: [string, unknown]) => [
        name,
        (value as object)?.constructor?.name,
        String(value),
      ])
      return [
        described,
        Object.entries({ ...raw }).map(([name, value]: [string, unknown]) => [name, (value as object)?.constructor?.name]),
        Buffer.from(bytes as never).toString('hex'),
      ]
    },
  })
  expect((output as [[string, string][]])[0].map(([name, type]) => [name, type])).toEqual(
    expect.arrayContaining([
      ['_id', 'ObjectId'],
      ['decimal', 'Decimal128'],
      ['long', 'Long'],
      ['uuid', 'UUID'],
      ['regexp', 'RegExp'],
      ['stamp', 'Timestamp'],
    ]),
  )
})

it('replays a cursor batch by batch, awaited, iterated and streamed', async () => {
  const { trace } = await holdDriver({
    gate,
    open,
    close,
    agent: async (client) => {
      const seen: unknown[] = []
      for await (const each of orders(client).find({}, { batchSize: 2 })) seen.push(each['_id'])
      const stream = orders(client).find({}, { batchSize: 3 }).stream()
      stream.on('data', (each: { _id: string }) => seen.push(each['_id']))
      await once(stream, 'end')
      const left = orders(client).find({}, { batchSize: 2 })
      seen.push(await left.next())
      await left.close()
      return seen
    },
  })
  expect(stepsOf(trace)).toEqual([
    ['mongodb find', { collection: 'shop.orders', filter: {}, batchSize: 2 }, 'read'],
    ['mongodb getMore', { collection: 'shop.orders', cursor: 1, batchSize: 2 }, 'read'],
    ['mongodb getMore', { collection: 'shop.orders', cursor: 1, batchSize: 2 }, 'read'],
    ['mongodb find', { collection: 'shop.orders', filter: {}, batchSize: 3 }, 'read'],
    ['mongodb getMore', { collection: 'shop.orders', cursor: 2, batchSize: 3 }, 'read'],
    ['mongodb find', { collection: 'shop.orders', filter: {}, batchSize: 2 }, 'read'],
  ])
})

it('replays writes, aggregates and counts', async () => {
  const { trace, output } = await holdDriver({
    gate,
    open,
    close,
    agent: async (client) => [
      await orders(client).updateOne({ _id: 'ord_1' }, { $set: { total: 11 } }),
      await orders(client).updateOne({ _id: 'ord_9' }, { $set: { total: 9 } }, { upsert: true }),
      await orders(client).findOneAndUpdate({ _id: 'ord_2' }, { $inc: { total: 1 } }, { returnDocument: 'after' }),
      await orders(client).deleteOne({ _id: 'ord_3' }),
      await orders(client).countDocuments({ total: { $gt: 20 } }),
      await orders(client).estimatedDocumentCount(),
      await orders(client).distinct('total'),
      await orders(client)
        .aggregate([{ $group: { _id: null, sum: { $sum: '$total' } } }])
        .toArray(),
      await orders(client).bulkWrite([
        { insertOne: { document: { _id: 'ord_6', total: 1 } } },
        { deleteOne: { filter: { _id: 'ord_6' } } },
      ]),
      await orders(client).createIndex({ total: 1 }),
      await orders(client).indexes(),
      (await client.db('shop').listCollections().toArray()).some(({ name }) => name === 'orders'),
      (await client.db('shop').command({ ping: 1 }))['ok'],
    ],
  })
  expect(trace.steps.map(({ name, effect }) => [name, effect])).toEqual([
    ['mongodb update', 'write'],
    ['mongodb update', 'write'],
    ['mongodb findAndModify', 'write'],
    ['mongodb delete', 'write'],
    ['mongodb aggregate', 'read'],
    ['mongodb count', 'read'],
    ['mongodb distinct', 'read'],
    ['mongodb aggregate', 'read'],
    ['mongodb insert', 'write'],
    ['mongodb delete', 'write'],
    ['mongodb createIndexes', 'write'],
    ['mongodb listIndexes', 'read'],
    ['mongodb listCollections', 'read'],
    ['mongodb ping', 'read'],
  ])
  expect((output as unknown[]).slice(0, 4)).toMatchObject([
    { modifiedCount: 1 },
    { upsertedId: 'ord_9' },
    { total: 21 },
    { deletedCount: 1 },
  ])
})

it('replays a bulk write of the client, whose operations are sent beside the command', async () => {
  const { trace } = await holdDriver({
    gate,
    open,
    close,
    agent: async (client) => {
      const name = 'insertOne' as const
      const result = await client.bulkWrite([
        { namespace: 'shop.bulk', name, document: { a: 1 } },
        { namespace: 'shop.bulk', name, document: { a: 2 } },
      ])
      return result.insertedCount
    },
  })
  expect(trace.steps[0]).toMatchObject({
    name: 'mongodb bulkWrite',
    input: { ops: [{ insert: 0, document: { a: 1 } }, {}], nsInfo: [{ ns: 'shop.bulk' }] },
  })
})

it('replays errors with the classes of the driver', async () => {
  const { trace, output } = await holdDriver({
    gate,
    open,
    close,
    agent: async (client) => {
      const describe = (error: unknown): unknown =>
        error instanceof MongoServerError && [error.name, error.code, error.message, error.errorLabels, error.errorResponse['codeName']]
      return [
        await orders(client).insertOne({ _id: 'ord_1', total: 1 }).catch(describe),
        await orders(client)
          .insertMany([{ _id: 'ord_1', total: 1 }])
          .catch((error: unknown) => error instanceof MongoBulkWriteError && error.code),
        await orders(client)
          .findOne({ total: { $nonsense: 1 } })
          .catch(describe),
        await client.db('shop').command({ nonsense: 1 }).catch(describe),
      ]
    },
  })
  expect(output).toEqual([
    ['MongoServerError', 11_000, expect.stringContaining('E11000'), [], undefined],
    11_000,
    ['MongoServerError', 2, 'unknown operator: $nonsense', [], 'BadValue'],
    ['MongoServerError', 59, "no such command: 'nonsense'", [], 'CommandNotFound'],
  ])
  expect(trace.steps[2]?.error).toMatchObject({ name: 'MongoServerError', code: 2, message: 'unknown operator: $nonsense' })
})

it('replays a connection that is lost during a command', async () => {
  const { trace, output } = await holdDriver({
    gate,
    open,
    close,
    agent: async (client) => {
      const lost = await client
        .db('shop')
        .command({ crash: 1 })
        .catch((error: unknown) => error)
      return [lost instanceof MongoNetworkError, (lost as Error).name, (lost as Error).message, await orders(client).countDocuments()]
    },
  })
  expect(output).toMatchObject([true, 'MongoNetworkError', expect.stringContaining('closed'), 5])
  expect(trace.steps.map(({ name }) => name)).toEqual(['mongodb crash', 'mongodb aggregate'])
})

it('replays what the driver sends again after its connection was lost', async () => {
  const { trace, output } = await holdDriver({
    gate,
    open,
    close,
    agent: async (client) => [
      await orders(client).findOne({ _id: 'ord_1' }, { comment: 'crash of a read' }),
      await orders(client).insertOne({ _id: 'ord_8', total: 8 }, { comment: 'crash of a write' }),
    ],
  })
  expect(output).toEqual([
    { _id: 'ord_1', total: 10 },
    { acknowledged: true, insertedId: 'ord_8' },
  ])
  expect(trace.steps.map(({ name, error }) => [name, error?.name])).toEqual([
    ['mongodb find', 'MongoNetworkError'],
    ['mongodb find', undefined],
    ['mongodb insert', 'MongoNetworkError'],
    ['mongodb insert', undefined],
  ])
})

it('replays transactions, numbered', async () => {
  const { trace, output } = await holdDriver({
    gate,
    open,
    close,
    agent: async (client) => {
      const session = client.startSession()
      await session.withTransaction(async () => {
        await orders(client).insertOne({ _id: 'ord_7', total: 7 }, { session })
        await orders(client).deleteOne({ _id: 'ord_7' }, { session })
      })
      session.startTransaction()
      await orders(client).updateOne({ _id: 'ord_1' }, { $set: { total: 99 } }, { session })
      await session.abortTransaction()
      const after = await orders(client).findOne({ _id: 'ord_1' }, { session })
      await session.endSession()
      return after
    },
  })
  expect(output).toEqual({ _id: 'ord_1', total: 10 })
  expect(stepsOf(trace).map((step) => [(step as unknown[])[0], ((step as unknown[])[1] as { transaction?: number }).transaction])).toEqual([
    ['mongodb insert', 1],
    ['mongodb delete', 1],
    ['mongodb commitTransaction', 1],
    ['mongodb update', 2],
    ['mongodb abortTransaction', 2],
    ['mongodb find', undefined],
  ])
})

it('keeps eight runs on a client that was opened before apart', async () => {
  await using recorder = await startRecorder()
  const client = new MongoClient(`mongodb://127.0.0.1:${gate.port}/?directConnection=true&maxPoolSize=2`)
  await client.connect()
  const agent = (count: number) => async (): Promise<unknown> => {
    const seen: unknown[] = []
    for (let each = 0; each < 5; each += 1) seen.push(await orders(client).findOne({ total: count * 100 + each }))
    return [...seen, ...(await Promise.all([6, 7, 8].map((each) => orders(client).countDocuments({ total: { $gt: count * 100 + each } }))))]
  }
  const runs = await Promise.all(Array.from({ length: 8 }, (_, count) => recorder.record(agent(count))))
  await client.close()
  for (const [count, { trace, text }] of runs.entries()) {
    expect(text).not.toContain('unrecorded-contact')
    expect(trace.steps.map(({ input }) => input)).toEqual([
      ...[0, 1, 2, 3, 4].map((each) => expect.objectContaining({ filter: { total: count * 100 + each } }) as unknown),
      ...[6, 7, 8].map(
        (each) => expect.objectContaining({ pipeline: [{ $match: { total: { $gt: count * 100 + each } } }, expect.anything()] }) as unknown,
      ),
    ])
  }
  const fresh = open()
  await fresh.connect()
  gate.shut()
  for (const [count, { trace, output }] of runs.entries()) {
    const run = await replay(trace, async () => {
      const seen: unknown[] = []
      for (let each = 0; each < 5; each += 1) seen.push(await orders(fresh).findOne({ total: count * 100 + each }))
      return [
        ...seen,
        ...(await Promise.all([6, 7, 8].map((each) => orders(fresh).countDocuments({ total: { $gt: count * 100 + each } })))),
      ]
    })
    expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output }])
  }
  gate.open()
  expect(gate.refused).toBe(0)
  await fresh.close()
})

it('is red at the step of a command that changed', async () => {
  const held = await holdDriver({
    gate,
    open,
    close,
    agent: async (client) => [await orders(client).findOne({ _id: 'ord_1' }), await orders(client).findOne({ _id: 'ord_2' })],
  })
  const run = await held.replay(async (client: MongoClient) => [
    await orders(client).findOne({ _id: 'ord_1' }),
    await orders(client).findOne({ _id: 'ord_3' }),
  ])
  expect(run.divergences.map(({ cause, step }) => [cause, step])).toEqual([['input', 2]])
})

it('flags a write that is made twice', async () => {
  const { text } = await holdDriver({
    gate,
    open,
    close,
    agent: async (client) => {
      await orders(client).updateOne({ _id: 'ord_1' }, { $inc: { total: 1 } })
      await orders(client).updateOne({ _id: 'ord_1' }, { $inc: { total: 1 } })
    },
  })
  expect(text).toContain('repeated-side-effect')
})

it('notes a change stream in a recording, and refuses it in a replay', async () => {
  const client = open()
  const agent = (db: MongoClient) => async (): Promise<unknown> => {
    const changes = orders(db).watch()
    const change = await changes.next()
    await changes.close()
    return change.operationType
  }
  const { trace, text, output } = await recordRun(agent(client))
  await client.close()
  expect(output).toBe('insert')
  expect(text).toContain('mongodb watch')
  expect(trace.steps).toEqual([])
  gate.shut()
  const fresh = open()
  const run = await replay(trace, () => agent(fresh)().catch((error: unknown) => (error as Error).name))
  gate.open()
  await fresh.close()
  expect(run.divergences.map(({ cause }) => cause)).toEqual(['unrecorded-contact'])
  expect(gate.refused).toBe(0)
})

it('replays ten thousand documents, files of GridFS, and many commands at once', async () => {
  const { trace, output } = await holdDriver({
    gate,
    open,
    close,
    agent: async (client) => {
      const many = client.db('shop').collection<{ _id: number; text: string }>('many')
      await many.deleteMany({})
      await many.insertMany(Array.from({ length: 10_000 }, (_, _id) => ({ _id, text: `text ${_id}` })))
      const all = await many.find().toArray()
      const bucket = new GridFSBucket(client.db('files'), { chunkSizeBytes: 1000 })
      const file = bucket.openUploadStream('a.txt')
      file.end(Buffer.alloc(2500, 'x'))
      await once(file, 'finish')
      const chunks: Buffer[] = []
      for await (const chunk of bucket.openDownloadStream(file.id)) chunks.push(chunk as Buffer)
      const found = await Promise.all(Array.from({ length: 200 }, (_, _id) => many.findOne({ _id })))
      void many.updateOne({ _id: 1 }, { $set: { text: 'not awaited' } })
      await many.countDocuments()
      return [all.length, all[9999], file.id, Buffer.concat(chunks).length, found.map((each) => each?.['_id'])]
    },
  })
  expect(output).toMatchObject([10_000, { _id: 9999, text: 'text 9999' }, {}, 2500, Array.from({ length: 200 }, (_, index) => index)])
  expect(trace.steps.filter(({ name }) => name === 'mongodb find').length).toBeGreaterThanOrEqual(201)
})

it('replays a client that the run opens, whose server is gone by then', async () => {
  const own = await startMongo()
  const agent = async (): Promise<unknown> => {
    const client = await new MongoClient(`mongodb://127.0.0.1:${own.port}/?replicaSet=rs0&readPreference=secondaryPreferred`).connect()
    await orders(client).insertOne({ _id: 'ord_1', total: 1 })
    const found = await orders(client).findOne({}, { readPreference: 'primaryPreferred' })
    await client.close()
    return found
  }
  const { trace, text, output } = await recordRun(agent)
  await own[Symbol.asyncDispose]()
  expect(text).not.toContain('unrecorded-contact')
  expect(trace.steps.map(({ name }) => name)).toEqual(['mongodb insert', 'mongodb find'])
  const run = await replay(trace, agent)
  expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output }])
})

it.each([
  ['reads of a secondary', 'replicaSet=rs0&readPreference=secondary'],
  ['a login', 'authSource=admin', 'user:secret@'],
  ['TLS', 'tls=true'],
  ['several hosts', '', '', ',127.0.0.1:1'],
  ['an SRV record', '', '', '', 'mongodb+srv'],
  ['a load balancer', 'loadBalanced=true'],
  ['compression', 'compressors=zlib'],
])('connects in a replay whatever the deployment: %s', async (_, options, login = '', more = '', scheme = 'mongodb') => {
  const { trace, output } = await recordRun(async () => {
    const client = open()
    const found = await orders(client).findOne({ _id: 'ord_1' })
    await client.close()
    return found
  })
  const host = scheme === 'mongodb' ? `nowhere.invalid:1${more}` : 'nowhere.example.invalid'
  const run = await replay(trace, async () => {
    const client = new MongoClient(`${scheme}://${login}${host}/?${options}`)
    const found = await orders(client).findOne({ _id: 'ord_1' })
    await client.close()
    return found
  })
  expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output }])
})

it('replays commands that are aborted, and clients that are closed', async () => {
  const { trace, output } = await holdDriver({
    gate,
    open,
    close,
    agent: async (client) => {
      const controller = new AbortController()
      const slow = orders(client).find({}, { signal: controller.signal }).toArray()
      controller.abort()
      const aborted = await slow.catch((error: unknown) => (error as Error).name)
      const other = open()
      await other.connect()
      await other.close()
      const closed = await orders(other)
        .findOne()
        .catch((error: unknown) => (error as Error).name)
      const cycle: Record<string, unknown> = {}
      cycle['self'] = cycle
      const circular = await orders(client)
        .findOne(cycle)
        .catch((error: unknown) => (error as Error).name)
      return [aborted, closed, circular, await orders(client).findOne({ _id: undefined as never, total: null as never })]
    },
  })
  expect(output).toEqual(['AbortError', 'MongoNotConnectedError', 'BSONError', null])
  expect(trace.steps.at(-1)?.input).toMatchObject({ filter: { _id: null, total: null } })
})

it('keeps no secret', async () => {
  const secrets = [
    'sk-proj-Zk3vQ9xW2mN8pL5rT7yB1cD4fG6hJ0kA',
    'ghp_R4nd0mT0k3nV4lu3F0rT3st1ngPurp0s3Ab12',
    'AKIAQ3EGUWXH7ZKPLMNB',
    'jane.roe@customers.example.co',
    '4111 1111 1111 1111',
    '5555555555554444',
    'xoxb-123456789012-1234567890123-AbCdEfGhIjKlMnOpQrStUvWx',
    'sk_live_4eC39HqLyjWDarjtT1zdp7dcAbCdEfGh',
    'glpat-Xy7Zq2Lm9Rt4Vb8Nc3Wd',
    'npm_Zk3vQ9xW2mN8pL5rT7yB1cD4fG6hJ0kAqE5u',
    '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',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
    'max.mustermann@kunden.example.de',
    'DE89 3704 0044 0532 0130 00',
    '378282246310005',
    '6011111111111117',
    '+1 (415) 555-2671',
    '536-90-4399',
    'postgres://app:Tr0ub4dor-3@db.internal/app',
    'Bearer 8f14e45fceea167a5a36dedd4bea2543a9b7c1',
  ]
  const { text, output } = await holdDriver({
    gate,
    open,
    close,
    agent: async (client) => {
      const people = client.db('shop').collection('people')
      await people.deleteMany({})
      for (const secret of secrets) {
        await people.insertOne({ text: `It is ${secret}.`, password: 'hunter2-Xq9', bytes: Buffer.from(`bytes of ${secret}`) })
        await people.findOne({ text: `It is ${secret}.` })
        await people.findOne({ [secret.replaceAll(/[.$]/g, '_')]: 1, code: secret } as never).catch(() => null)
      }
      await people
        .find({ text: { $nonsense: secrets[0] } })
        .toArray()
        .catch(() => null)
      return (await people.find().toArray()).length
    },
  })
  expect(output).toBe(secrets.length)
  for (const secret of [...secrets, 'hunter2-Xq9']) expect(text).not.toContain(secret)
})

it('answers a fork from another deployment', async () => {
  const agent = async (client: MongoClient): Promise<unknown> => {
    const found = await orders(client).findOne({ _id: 'ord_1' })
    const { modifiedCount } = await orders(client).updateOne({ _id: 'ord_1' }, { $set: { total: 3 } })
    return [found?.total, modifiedCount, (await orders(client).findOne({ _id: 'ord_1' }))?.total]
  }
  const real = open()
  await orders(real).deleteMany({})
  await orders(real).insertOne({ _id: 'ord_1', total: 1 })
  const { trace } = await recordRun(() => agent(real))
  await orders(real).updateOne({ _id: 'ord_1' }, { $set: { total: 1 } })
  await using other = await startMongo()
  const url = `mongodb://127.0.0.1:${other.port}/?directConnection=true`
  const clone = new MongoClient(url)
  await orders(clone).insertOne({ _id: 'ord_1', total: 2 })
  gate.shut()
  const fresh = open()
  const run = await fork(trace, () => agent(fresh), { at: 1, sandbox: { mongodb: url }, route: { mongodb: 'run' } })
  await fresh.close()
  gate.open()
  expect(run.outcome).toEqual({ status: 'returned', output: [2, 1, 3] })
  expect((await orders(clone).findOne({ _id: 'ord_1' }))?.total).toBe(3)
  expect((await orders(real).findOne({ _id: 'ord_1' }))?.total).toBe(1)
  await clone.close()
  await real.close()
})
