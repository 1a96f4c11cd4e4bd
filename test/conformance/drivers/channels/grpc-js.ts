import type { ClientDuplexStream, ClientReadableStream, Metadata, ServiceClientConstructor, ServiceError } from '@grpc/grpc-js'
import { definition } from '../../../boundaries/http2/shop-definition.ts'
import type { Asked, OrdersClient } from '../../../boundaries/http2/shop-server.ts'
import type { DriverProgram } from '../driver-program.ts'

type Grpc = typeof import('@grpc/grpc-js')

/** The package @grpc/grpc-js. */
export const program: DriverProgram<OrdersClient> = {
  server: 'shop',
  open({ port, load }) {
    const { loadPackageDefinition, credentials } = load('@grpc/grpc-js') as Grpc
    const { shop } = loadPackageDefinition(definition) as unknown as { readonly shop: { readonly Orders: ServiceClientConstructor } }
    return new shop.Orders(`127.0.0.1:${port}`, credentials.createInsecure()) as unknown as OrdersClient
  },
  close: (client) => client.close(),
  flows: {
    unary: async (client) => [await get(client, 'ord_1'), await get(client, 'ord_2')],
    'metadata and trailers': (client, { load }) =>
      new Promise((resolve) => {
        const { Metadata: Heads } = load('@grpc/grpc-js') as Grpc
        const sent = new Heads()
        sent.set('x-tenant', 'acme')
        const call = client.Get({ id: 'ord_1' }, sent, () => undefined)
        const trailers = (status: { readonly metadata: Metadata }): unknown => [
          status.metadata.get('x-detail'),
          status.metadata.get('x-detail-bin'),
        ]
        call.on('status', (status) => resolve([status.code, status.details, trailers(status)]))
      }),
    error: (client) => failed(client, 'missing'),
    'server streaming': (client) => read(client.Watch({ id: 'ord_1', count: 3 })),
    'stream that breaks': async (client) => await read(client.Watch({ id: 'broken', count: 2 })).catch(tell),
    'client streaming': (client) =>
      new Promise((resolve) => {
        const stream = client.Sum((error: ServiceError | null, value: Asked) => resolve(error === null ? value : tell(error)))
        for (const count of [1, 2, 3]) stream.write({ id: 'a', count })
        stream.end()
      }),
    bidirectional: (client) => talk(client.Talk()),
    deadline: (client) => failed(client, 'never', { deadline: Date.now() + 150 }),
    cancellation: (client) =>
      new Promise((resolve) => {
        const stream = client.Watch({ id: 'endless', count: 1 })
        stream.on('data', () => stream.cancel())
        stream.on('error', (error) => resolve(tell(error)))
      }),
    parallel: async (client) => await Promise.all([1, 2, 3, 4, 5, 6].map((number) => get(client, `ord_${number}`))),
  },
}

function get(client: OrdersClient, id: string, options: object = {}): Promise<unknown> {
  return new Promise((resolve, reject) => {
    client.Get({ id }, options, (error: ServiceError | null, value: unknown) => (error === null ? resolve(value) : reject(error)))
  })
}

async function failed(client: OrdersClient, id: string, options?: object): Promise<unknown> {
  try {
    return ['did not fail', await get(client, id, options)]
  } catch (error) {
    return tell(error)
  }
}

/** The details of a deadline name times, and the connection. */
function tell(error: unknown): unknown {
  const { code, details, metadata } = error as ServiceError
  return [error instanceof Error, code, /deadline/i.test(details) ? '' : details, metadata.get('x-detail')]
}

async function read(stream: ClientReadableStream<Asked>): Promise<unknown> {
  const ids: unknown[] = []
  for await (const { id } of stream as AsyncIterable<Asked>) ids.push(id)
  return ids
}

async function talk(stream: ClientDuplexStream<Asked, Asked>): Promise<unknown> {
  const heard: unknown[] = []
  for await (const { id } of stream as AsyncIterable<Asked>) {
    if (heard.push(id) < 3) stream.write({ id: `after ${id ?? ''}` })
    else stream.end()
  }
  return heard
}
