import { create, type DescMessage, type MessageInitShape } from '@bufbuild/protobuf'
import { status } from '@grpc/grpc-js'
import {
  HealthCheckReplySchema,
  PointsOperationResponseSchema,
  SearchBatchResponseSchema,
  SearchResponseSchema,
  UpdateStatus,
} from '@qdrant/js-client-grpc'
import { type Answer, listenVectors, qdrantService, type VectorServer } from './vector-servers.ts'

interface Asked {
  readonly collectionName: string
  readonly points: readonly unknown[]
  readonly vector: readonly number[]
  readonly searchPoints: readonly Pick<Asked, 'vector'>[]
}

/** A stand-in for Qdrant by the definition that its client ships. A point is found for each number of the vector. */
export async function listenQdrant(): Promise<VectorServer> {
  const found = ({ vector }: Pick<Asked, 'vector'>): object[] =>
    vector.map((score, index) => ({ id: { pointIdOptions: { case: 'num', value: BigInt(index + 1) } }, score, version: 7n }))
  return await listenVectors([
    [
      await qdrantService('points_service', 'Points'),
      {
        Upsert({ collectionName, points }: Asked): Answer | undefined {
          if (collectionName === 'missing') return { error: { code: status.NOT_FOUND, details: 'there is no collection “missing”' } }
          if (collectionName === 'slow') return undefined
          return {
            value: make(PointsOperationResponseSchema, {
              result: { operationId: BigInt(points.length), status: UpdateStatus.Completed },
              time: 0.25,
            }),
          }
        },
        Search: (asked: Asked) => ({ value: make(SearchResponseSchema, { result: found(asked), time: 0.5 }) }),
        SearchBatch: ({ searchPoints }: Asked) => ({
          value: make(SearchBatchResponseSchema, { result: searchPoints.map((asked) => ({ result: found(asked) })), time: 0.5 }),
        }),
      },
    ],
    [
      await qdrantService('qdrant', 'Qdrant'),
      { HealthCheck: () => ({ value: make(HealthCheckReplySchema, { title: 'qdrant', version: '1.19.0' }) }) },
    ],
  ])
}

function make<Schema extends DescMessage>(schema: Schema, value: MessageInitShape<Schema>): object {
  return create(schema, value)
}
