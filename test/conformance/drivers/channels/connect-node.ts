import type { DescService } from '@bufbuild/protobuf'
import type { ConnectShop, ShopMessage } from '../../../boundaries/http2/connect-client.ts'
import type { DriverProgram } from '../driver-program.ts'
import { describeShop } from '../../../boundaries/http2/connect-shop.ts'
import { describeShopForFirst, type FirstProtobuf } from './connect-shop-1.ts'

type Connect = typeof import('@connectrpc/connect')
type ConnectNode = typeof import('@connectrpc/connect-node')

/** The package @connectrpc/connect-node, by gRPC. */
export const program: DriverProgram<ConnectShop> = {
  server: 'shop',
  open({ port, load }) {
    const { createClient } = load('@connectrpc/connect') as Connect
    const { createGrpcTransport } = load('@connectrpc/connect-node') as ConnectNode
    // Versions before 2 speak HTTP/1 unless told otherwise.
    const options = { baseUrl: `http://127.0.0.1:${port}`, httpVersion: '2' } as Parameters<typeof createGrpcTransport>[0]
    return createClient(describe(load), createGrpcTransport(options)) as unknown as ConnectShop
  },
  close: () => undefined,
  flows: {
    unary: async (shop) => [await id(shop.get({ id: 'ord_1' })), await id(shop.get({ id: 'ord_2' }))],
    'headers and trailers': async (shop) => {
      const seen: unknown[] = []
      const see = (headers: Headers): unknown => seen.push(headers.get('x-detail'))
      await shop.get({ id: 'ord_1' }, { headers: { 'x-tenant': 'acme' }, onTrailer: see })
      return seen
    },
    error: async (shop) => await shop.get({ id: 'missing' }).catch(tell),
    'server streaming': async (shop) => await read(shop.watch({ id: 'ord_1', count: 3 })),
    'stream that breaks': async (shop) => await read(shop.watch({ id: 'broken', count: 2 })).catch(tell),
    'client streaming': async (shop) => {
      const { id: said, count } = await shop.sum(each([1, 2, 3].map((number) => ({ id: 'a', count: number }))))
      return [said, count]
    },
    bidirectional: async (shop) => await read(shop.talk(each([{ id: 'one' }, { id: 'two' }]))),
    deadline: async (shop) => await shop.get({ id: 'never' }, { timeoutMs: 150 }).catch(tell),
    cancellation: async (shop) => {
      const controller = new AbortController()
      try {
        for await (const _ of shop.watch({ id: 'endless', count: 1 }, { signal: controller.signal })) controller.abort()
        return 'did not fail'
      } catch (error) {
        return tell(error)
      }
    },
    parallel: async (shop) => await Promise.all([1, 2, 3, 4, 5, 6].map((number) => id(shop.get({ id: `ord_${number}` })))),
  },
}

function describe(load: (name: string) => unknown): DescService {
  const protobuf = load('@bufbuild/protobuf') as FirstProtobuf | typeof import('@bufbuild/protobuf')
  if ('proto3' in protobuf) return describeShopForFirst(protobuf) as DescService
  const { FileDescriptorProtoSchema } = load('@bufbuild/protobuf/wkt') as typeof import('@bufbuild/protobuf/wkt')
  return describeShop(protobuf, FileDescriptorProtoSchema)
}

async function id(answer: Promise<ShopMessage>): Promise<unknown> {
  return (await answer).id
}

function tell(error: unknown): unknown {
  const { name, code, rawMessage } = error as { readonly name: string; readonly code: number; readonly rawMessage: string }
  return [name, code, rawMessage]
}

async function read(messages: AsyncIterable<ShopMessage>): Promise<unknown> {
  const ids: unknown[] = []
  for await (const message of messages) ids.push(message.id)
  return ids
}

async function* each(messages: readonly ShopMessage[]): AsyncIterable<ShopMessage> {
  yield* messages
}
