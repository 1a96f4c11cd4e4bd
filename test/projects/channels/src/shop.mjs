// The definition of a service with calls of each kind.
import { loadPackageDefinition } from '@grpc/grpc-js'
import { fromJSON } from '@grpc/proto-loader'

const order = { requestType: 'Order', responseType: 'Order' }
const definition = fromJSON({
  nested: {
    shop: {
      nested: {
        Order: { fields: { id: { type: 'string', id: 1 }, count: { type: 'int32', id: 2 } } },
        Orders: {
          methods: {
            Get: order,
            Watch: { ...order, responseStream: true },
            Sum: { ...order, requestStream: true },
            Talk: { ...order, requestStream: true, responseStream: true },
          },
        },
      },
    },
  },
})

export const { Orders } = loadPackageDefinition(definition).shop
