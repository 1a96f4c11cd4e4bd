import { fromJSON, type PackageDefinition } from '@grpc/proto-loader'

/** A shop with calls of each kind. */
export const definition: PackageDefinition = fromJSON(
  asNamespace({
    nested: {
      shop: {
        nested: {
          Line: { fields: { sku: { type: 'string', id: 1 }, price: { type: 'double', id: 2 }, amount: { type: 'sint32', id: 3 } } },
          Order: {
            fields: {
              id: { type: 'string', id: 1 },
              lines: { rule: 'repeated', type: 'Line', id: 2 },
              codes: { rule: 'repeated', type: 'int32', id: 3 },
              seal: { type: 'bytes', id: 4 },
              total: { type: 'uint64', id: 5 },
              isPaid: { type: 'bool', id: 6 },
              labels: { keyType: 'string', type: 'string', id: 7 },
            },
          },
          Asked: { fields: { id: { type: 'string', id: 1 }, count: { type: 'int32', id: 2 } } },
          Orders: {
            methods: {
              Get: { requestType: 'Asked', responseType: 'Order' },
              Watch: { requestType: 'Asked', responseType: 'Order', responseStream: true },
              Sum: { requestType: 'Asked', requestStream: true, responseType: 'Asked' },
              Talk: { requestType: 'Asked', requestStream: true, responseType: 'Asked', responseStream: true },
            },
          },
        },
      },
    },
  }),
)

type Namespace = Parameters<typeof fromJSON>[0]

/** The type of a definition wants comments. */
function asNamespace(given: object): Namespace {
  return given
}
