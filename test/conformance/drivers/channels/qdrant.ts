import type { ConnectError, QdrantClient } from '@qdrant/js-client-grpc'
import type { DriverProgram } from '../driver-program.ts'

/** The package @qdrant/js-client-grpc. */
export const program: DriverProgram<QdrantClient> = {
  server: 'qdrant',
  open({ port, load }) {
    const { QdrantClient: Client } = load('@qdrant/js-client-grpc') as typeof import('@qdrant/js-client-grpc')
    return new Client({ host: '127.0.0.1', port, checkCompatibility: false })
  },
  close: () => undefined,
  flows: {
    search: async (client) => {
      const { result } = await client.api('points').search({ collectionName: 'books', vector: [0.25, 0.5], limit: 2n })
      return result.map(({ id, score }) => [String(id?.pointIdOptions.value), score])
    },
    parallel: async (client) => {
      const searches = [1, 2, 3, 4].map((part) => client.api('points').search({ collectionName: 'books', vector: [part / 4], limit: 1n }))
      return (await Promise.all(searches)).map(({ result }) => result[0]?.score)
    },
    upsert: async (client) => String((await client.api('points').upsert({ collectionName: 'books', points: [] })).result?.operationId),
    error: async (client) =>
      await client
        .api('points')
        .upsert({ collectionName: 'missing', points: [] })
        .catch((error: unknown) => [(error as ConnectError).code, (error as ConnectError).rawMessage]),
  },
}
