import { create } from '@bufbuild/protobuf'
import { type ConnectError, PointStructSchema, QdrantClient } from '@qdrant/js-client-grpc'
import weaviate, { type WeaviateClient } from 'weaviate-client'
import type { VectorServer } from '../boundaries/http2/vector-servers.ts'
import { type WeaviateServer } from '../boundaries/http2/weaviate-server.ts'

export function openQdrant({ port }: VectorServer, timeout = 10_000): QdrantClient {
  return new QdrantClient({ host: '127.0.0.1', port, timeout, checkCompatibility: false })
}

/** A point of more than 1024 bytes, which the client compresses. */
function pointOf(id: number): ReturnType<typeof create<typeof PointStructSchema>> {
  const data = Array.from({ length: 400 }, (_, index) => (index * id) / 7)
  const text = { kind: { case: 'stringValue', value: `chapter ${id}` } } as const
  const vectors = { vectorsOptions: { case: 'vector', value: { vector: { case: 'dense', value: { data } } } } } as const
  return create(PointStructSchema, { id: { pointIdOptions: { case: 'num', value: BigInt(id) } }, payload: { title: text }, vectors })
}

export async function useQdrant(client: QdrantClient, word: string): Promise<unknown> {
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

export function seen(error: unknown): unknown {
  const { code, rawMessage } = error as ConnectError
  return [code, rawMessage]
}

export const steps: readonly string[] = ['Upsert', 'Search', 'SearchBatch', 'Upsert'].map((name) => `grpc qdrant.Points/${name}`)

export function openWeaviate({ port, httpPort }: WeaviateServer, seconds = 10): Promise<WeaviateClient> {
  return weaviate.connectToCustom({
    httpHost: '127.0.0.1',
    httpPort,
    grpcHost: '127.0.0.1',
    grpcPort: port,
    timeout: { query: seconds, insert: seconds, init: 10 },
  })
}

export async function useWeaviate(client: WeaviateClient, word: string): Promise<unknown> {
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
