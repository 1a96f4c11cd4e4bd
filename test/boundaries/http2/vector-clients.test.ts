import { create } from '@bufbuild/protobuf'
import { type ConnectError, PointStructSchema, QdrantClient } from '@qdrant/js-client-grpc'
import { expect, it } from 'vitest'
import weaviate, { type WeaviateClient } from 'weaviate-client'
import type { ReplayedRun } from '../../../src/replay/contract/replayed-run.ts'
import { replay } from '../../../src/replay/replay.ts'
import { withAgentLines } from '../../../src/replay/result/agent-lines.ts'
import { recordRun, rowsOf, startRecorder } from '../../support/record-run.ts'
import { expectClean, toGoldenTrace } from '../../support/replay-clean.ts'
import { listenQdrant } from './qdrant-server.ts'
import type { VectorServer } from './vector-servers.ts'
import { listenWeaviate, type WeaviateServer } from './weaviate-server.ts'

function openQdrant({ port }: VectorServer, timeout = 10_000): QdrantClient {
  return new QdrantClient({ host: '127.0.0.1', port, timeout, checkCompatibility: false })
}

/** A point of more than 1024 bytes, which the client compresses. */
function pointOf(id: number): ReturnType<typeof create<typeof PointStructSchema>> {
  const data = Array.from({ length: 400 }, (_, index) => (index * id) / 7)
  const text = { kind: { case: 'stringValue', value: `chapter ${id}` } } as const
  const vectors = { vectorsOptions: { case: 'vector', value: { vector: { case: 'dense', value: { data } } } } } as const
  return create(PointStructSchema, { id: { pointIdOptions: { case: 'num', value: BigInt(id) } }, payload: { title: text }, vectors })
}

async function useQdrant(client: QdrantClient, word: string): Promise<unknown> {
  const points = client.api('points')
  const upserted = await points.upsert({ collectionName: word, wait: true, points: [pointOf(1), pointOf(2)] })
  const [found, batch] = await Promise.all([
    points.search({ collectionName: word, vector: [0.25, 0.5], limit: 2n }),
    points.searchBatch({
      collectionName: word,
      searchPoints: [1, 2, 3].map((part) => ({ collectionName: word, vector: [part / 4], limit: 1n })),
    }),
  ])
  const missing = await points.upsert({ collectionName: 'missing', points: [] }).catch((error: unknown) => seen(error))
  const ids = found.result.map(({ id, score }) => [String(id?.pointIdOptions.value), score])
  return [String(upserted.result?.operationId), ids, batch.result.map(({ result }) => result[0]?.score), missing]
}

function seen(error: unknown): unknown {
  const { code, rawMessage } = error as ConnectError
  return [code, rawMessage]
}

const steps = ['Upsert', 'Search', 'SearchBatch', 'Upsert'].map((name) => `grpc qdrant.Points/${name}`)

it('replays the client of Qdrant with the server gone, four times of four', async () => {
  const server = await listenQdrant()
  const agent = (): Promise<unknown> => useQdrant(openQdrant(server), 'books')
  const { output, trace } = await recordRun(agent)
  expect(output).toEqual([
    '2',
    [
      ['1', 0.25],
      ['2', 0.5],
    ],
    [0.25, 0.5, 0.75],
    [5, 'there is no collection “missing”'],
  ])
  expect([trace.steps.map(({ name }) => name), rowsOf(trace, 'note')]).toEqual([steps, []])
  expect(trace.steps[0]?.input).toMatchObject({ message: { 1: 'books', 2: 1, 3: [{ 3: { 1: 'title' } }, {}] } })
  server.stop()
  for (let time = 0; time < 4; time += 1) {
    const run = await replay(time % 2 === 0 ? trace : toGoldenTrace(trace), agent)
    expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output }])
  }
})

it('replays a deadline of the client of Qdrant', async () => {
  const server = await listenQdrant()
  const agent = async (): Promise<unknown> => {
    const { upsert } = openQdrant(server, 300).api('points')
    return await upsert({ collectionName: 'slow', points: [] }).catch(seen)
  }
  const { output, trace } = await recordRun(agent)
  // The client has a timer of its own.
  expect([(output as unknown[])[0], trace.steps.map(({ name }) => name)]).toEqual([1, [steps[0], `${steps[0]} cancel`]])
  server.stop()
  const run = await replay(trace, agent)
  expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output }])
})

it('keeps eight runs apart that share a client of Qdrant, and reports a change of one of its messages at the line of the agent', async () => {
  await using server = await listenQdrant()
  const client = openQdrant(server)
  await useQdrant(client, 'before')
  await using recorder = await startRecorder()
  const names = Array.from({ length: 8 }, (_, index) => `run ${index}`)
  const runs = await Promise.all(names.map((name) => recorder.record(() => useQdrant(client, name), {})))
  const { calls } = server
  for (const [index, { trace }] of runs.entries()) {
    const name = names[index] ?? ''
    expect(trace.steps.map((step) => step.name)).toEqual(steps)
    expect(new Set(JSON.stringify(trace.steps.map(({ input }) => input)).match(/run \d/g))).toEqual(new Set([name]))
    await expectClean(trace, () => useQdrant(client, name))
  }
  const [first] = runs
  const again = (): Promise<ReplayedRun> => replay(first?.trace ?? '', () => useQdrant(client, 'run 9'))
  const [divergence] = (await withAgentLines(await again(), again)).divergences
  expect(divergence).toMatchObject({
    cause: 'input',
    step: 1,
    name: steps[0],
    differences: [{ path: 'args.message["1"]', expected: 'run 0', received: 'run 9' }],
  })
  expect(divergence?.site?.file).toContain('test/boundaries/http2/vector-clients.test.ts')
  expect(server.calls).toBe(calls)
})

function openWeaviate({ port, httpPort }: WeaviateServer, seconds = 10): Promise<WeaviateClient> {
  return weaviate.connectToCustom({
    httpHost: '127.0.0.1',
    httpPort,
    grpcHost: '127.0.0.1',
    grpcPort: port,
    timeout: { query: seconds, insert: seconds, init: 10 },
  })
}

async function useWeaviate(client: WeaviateClient, word: string): Promise<unknown> {
  const books = client.collections.use(word)
  const id = '00000000-0000-4000-8000-000000000009'
  const [inserted, found] = await Promise.all([
    books.data.insertMany([
      { id, properties: { title: `${word} 1` } },
      { id: id.replace('9', '8'), properties: { title: 'x' } },
    ]),
    books.query.nearVector([0.25, 0.5], { limit: 3, returnMetadata: ['distance'] }),
  ])
  const missing = await client.collections
    .use('Missing')
    .query.fetchObjects({ limit: 1 })
    .catch(({ message }: Error) => message)
  return [
    Object.values(inserted.errors).map(({ message }) => message),
    found.objects.map(({ uuid, properties, metadata }) => [uuid, properties, metadata?.distance]),
    missing,
  ]
}

it('replays the client of Weaviate with the server gone, four times of four', async () => {
  const server = await listenWeaviate()
  const agent = async (): Promise<unknown> => {
    const client = await openWeaviate(server)
    const output = await useWeaviate(client, 'Books')
    await client.close()
    return output
  }
  const { output, trace } = await recordRun(agent)
  expect(output).toMatchObject([['too long'], [[{}, { title: 'Books 0', rank: 0 }, 0], {}, {}], expect.stringContaining('class Missing')])
  expect(trace.steps.map(({ name }) => name).filter((name) => name.startsWith('grpc'))).toEqual([
    'grpc grpc.health.v1.Health/Check',
    ...['Search', 'BatchObjects', 'Search'].map((name) => `grpc weaviate.v1.Weaviate/${name}`),
  ])
  expect(rowsOf(trace, 'note')).toEqual([])
  server.stop()
  for (let time = 0; time < 4; time += 1) {
    const run = await replay(time % 2 === 0 ? trace : toGoldenTrace(trace), agent)
    expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output }])
  }
})

it('replays a deadline of the client of Weaviate, and reports a change of one of its messages at the line of the agent', async () => {
  await using server = await listenWeaviate()
  const client = await openWeaviate(server, 0.4)
  const agent = async (word: string): Promise<unknown> => {
    const slow = client.collections.use('Slow').query.fetchObjects({ limit: 1 })
    return [await slow.catch(({ message }: Error) => message), await useWeaviate(client, word)]
  }
  await useWeaviate(client, 'Before')
  const { output, trace } = await recordRun(() => agent('Books'))
  expect((output as unknown[])[0]).toMatch(/timed out/)
  const { calls } = server
  await expectClean(trace, () => agent('Books'))
  const again = (): Promise<ReplayedRun> => replay(trace, () => agent('Films'))
  const { divergences } = await withAgentLines(await again(), again)
  expect(divergences[0]).toMatchObject({ cause: 'input', name: expect.stringMatching(/BatchObjects|Search/) as string })
  expect(divergences[0]?.site?.file).toContain('vector-clients.test.ts')
  expect(server.calls).toBe(calls)
  await client.close()
})
