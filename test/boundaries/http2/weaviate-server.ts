import { status } from '@grpc/grpc-js'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Answer, listenVectors, type VectorServer, weaviateService } from './vector-servers.ts'

/** It has a part that speaks HTTP, too. */
export interface WeaviateServer extends VectorServer {
  readonly httpPort: number
}

interface Asked {
  readonly collection: string
  readonly limit: number
  readonly objects: readonly unknown[]
}

/** A stand-in for Weaviate by the definition that its client ships. */
export async function listenWeaviate(): Promise<WeaviateServer> {
  const rpc = await listenVectors([
    [
      await weaviateService('v1/weaviate', 'WeaviateDefinition'),
      {
        Search({ collection, limit }: Asked): Answer | undefined {
          if (collection === 'Missing')
            return { error: { code: status.INVALID_ARGUMENT, details: 'could not find class Missing in schema' } }
          if (collection === 'Slow') return undefined
          return {
            value: { took: 0.5, results: Array.from({ length: limit }, (_, index) => resultOf(collection, index)), groupByResults: [] },
          }
        },
        BatchObjects: ({ objects }: Asked) => ({
          value: { took: 0.25, errors: objects.slice(1).map((_, index) => ({ index: index + 1, error: 'too long' })) },
        }),
      },
    ],
    [await weaviateService('google/health/v1/health', 'HealthDefinition'), { Check: () => ({ value: { status: 1 } }) }],
  ])
  const http = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end('{"version":"1.34.0","grpcMaxMessageSize":104858000}')
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const stop = (): void => {
    rpc.stop()
    http.closeAllConnections()
    http.close()
  }
  return {
    port: rpc.port,
    httpPort: (http.address() as AddressInfo).port,
    get calls() {
      return rpc.calls
    },
    stop,
    async [Symbol.asyncDispose]() {
      stop()
    },
  }
}

function resultOf(collection: string, index: number): object {
  const id = `00000000-0000-4000-8000-00000000000${index}`
  const fields = { title: { textValue: `${collection} ${index}` }, rank: { numberValue: index / 4 } }
  const metadata = {
    id,
    idAsBytes: Buffer.from(id.replaceAll('-', ''), 'hex'),
    vector: [],
    vectorBytes: Buffer.alloc(0),
    vectors: [],
    distance: index / 8,
    distancePresent: true,
    isConsistentPresent: false,
  }
  return {
    metadata,
    properties: { refProps: [], targetCollection: collection, metadata, nonRefProps: { fields }, refPropsRequested: false },
  }
}
