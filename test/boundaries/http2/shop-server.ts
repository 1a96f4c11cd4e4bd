import {
  type ChannelCredentials,
  type Client,
  type ClientDuplexStream,
  type ClientOptions,
  type ClientReadableStream,
  type ClientUnaryCall,
  type ClientWritableStream,
  credentials,
  type GrpcObject,
  loadPackageDefinition,
  Metadata,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServerReadableStream,
  type ServerUnaryCall,
  type ServerWritableStream,
  type ServiceClientConstructor,
  type ServiceError,
  status,
} from '@grpc/grpc-js'
import { definition } from './shop-definition.ts'

/** What is asked for. */
export interface Asked {
  readonly id?: string
  readonly count?: number
}

/** The generated client. */
export interface OrdersClient extends Client {
  Get(asked: Asked, ...rest: readonly unknown[]): ClientUnaryCall
  Watch(asked: Asked, ...rest: readonly unknown[]): ClientReadableStream<Asked>
  Sum(...rest: readonly unknown[]): ClientWritableStream<Asked>
  Talk(...rest: readonly unknown[]): ClientDuplexStream<Asked, Asked>
}

/** A server of gRPC that counts its calls. */
export interface ShopServer extends AsyncDisposable {
  readonly host: string
  readonly calls: number
  stop(): void
}

const order = (id: string): object => ({
  id,
  lines: [
    { sku: 'tea', price: 4.25, amount: -2 },
    { sku: 'a cup that holds more than thirty-two characters', price: 9, amount: 1 },
  ],
  codes: [1, 300, 70_000],
  seal: Buffer.from([0, 255, 128]),
  total: '18446744073709551615',
  isPaid: true,
  labels: { colour: 'grün', id },
})

/** Listens. @param tls The certificate and key of a server over TLS. */
export async function listenShop(tls?: { readonly cert: Buffer; readonly key: Buffer }): Promise<ShopServer> {
  const server = new Server()
  let calls = 0
  const { Orders } = loadPackageDefinition(definition)['shop'] as GrpcObject
  server.addService((Orders as ServiceClientConstructor).service, {
    Get(
      call: ServerUnaryCall<Asked, object>,
      callback: (error: Partial<ServiceError> | null, value?: object, trailers?: Metadata) => void,
    ) {
      calls += 1
      const { id = '' } = call.request
      const [trailers, heads] = [new Metadata(), new Metadata()]
      trailers.add('x-detail', `about ${id}`)
      trailers.add('x-detail-bin', Buffer.from([1, 2, 255]))
      heads.add('x-serial', String(calls))
      call.sendMetadata(heads)
      if (id === 'missing') callback({ code: status.NOT_FOUND, details: `no order ${id}`, metadata: trailers })
      else if (id === 'never') return
      else setTimeout(() => callback(null, order(id), trailers), id === 'slow' ? 60 : 0)
    },
    Watch(call: ServerWritableStream<Asked, object>) {
      calls += 1
      const { id = '', count = 0 } = call.request
      let sent = 0
      const timer = setInterval(() => {
        sent += 1
        if (sent <= count) call.write(order(`${id} ${sent}`))
        else if (id === 'endless') return
        else {
          clearInterval(timer)
          if (id === 'broken') call.emit('error', { code: status.DATA_LOSS, details: 'it broke' })
          else call.end()
        }
      }, 2)
      call.on('cancelled', () => clearInterval(timer))
    },
    Sum(call: ServerReadableStream<Asked, Asked>, callback: (error: null, value: Asked) => void) {
      calls += 1
      let [count, id] = [0, '']
      call.on('data', (asked: Asked) => {
        count += asked.count ?? 0
        id += asked.id ?? ''
      })
      call.on('end', () => callback(null, { count, id }))
    },
    Talk(call: ServerDuplexStream<Asked, Asked>) {
      calls += 1
      call.write({ id: 'welcome' })
      call.on('data', ({ id = '' }: Asked) => call.write({ id: id.toUpperCase() }))
      call.on('end', () => call.end())
    },
  })
  const made =
    tls === undefined
      ? ServerCredentials.createInsecure()
      : ServerCredentials.createSsl(null, [{ cert_chain: tls.cert, private_key: tls.key }])
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', made, (error, bound) => (error === null ? resolve(bound) : reject(error)))
  })
  return {
    host: `127.0.0.1:${port}`,
    get calls() {
      return calls
    },
    stop: () => server.forceShutdown(),
    async [Symbol.asyncDispose]() {
      server.forceShutdown()
    },
  }
}

/** The generated client. It connects with its first call. */
export function createShopClient(
  host: string,
  options?: ClientOptions,
  given: ChannelCredentials = credentials.createInsecure(),
): OrdersClient {
  const { Orders } = loadPackageDefinition(definition)['shop'] as GrpcObject
  return new (Orders as ServiceClientConstructor)(host, given, options) as unknown as OrdersClient
}

/** Calls `Get`, and waits for it. */
export function getOrder(client: OrdersClient, id: string, ...rest: readonly unknown[]): Promise<unknown> {
  return new Promise((resolve, reject) => {
    client.Get({ id }, ...rest, (error: Error | null, value: unknown) => (error === null ? resolve(value) : reject(error)))
  })
}
