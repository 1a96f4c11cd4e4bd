import { once } from 'node:events'
import http from 'node:http'
import http2 from 'node:http2'
import * as protobuf from '@bufbuild/protobuf'
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt'
import { createClient, type Transport } from '@connectrpc/connect'
import { connectNodeAdapter } from '@connectrpc/connect-node'
import type { ConnectShop, ShopMessage } from './connect-client.ts'
import { describeShop } from './connect-shop.ts'

/** A server of all protocols of Connect that counts its calls. */
export interface ConnectServer extends AsyncDisposable {
  readonly url: string
  readonly calls: number
  stop(): Promise<void>
}

const shop = describeShop(protobuf, FileDescriptorProtoSchema)

/** A text that servers compress. */
export const long: string = 'a line of an order, '.repeat(300)

/** Listens. */
export async function listenConnect(httpVersion: '1.1' | '2'): Promise<ConnectServer> {
  let calls = 0
  const handler = connectNodeAdapter({
    routes: (router) =>
      router.service(shop, {
        get: ({ id }: ShopMessage) => {
          calls += 1
          return { id: `${id ?? ''} ${long}` }
        },
        async *watch({ id }: ShopMessage) {
          calls += 1
          yield { id: long }
          await new Promise((resolve) => setTimeout(resolve, 3))
          yield { id }
        },
        async *talk(asked: AsyncIterable<ShopMessage>) {
          calls += 1
          for await (const { id } of asked) yield { id: `heard ${id ?? ''}` }
        },
      } as never),
  })
  const server = httpVersion === '2' ? http2.createServer(handler) : http.createServer(handler)
  const sessions = new Set<{ destroy(): void }>()
  server.on('session', (session: { destroy(): void }) => sessions.add(session))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { readonly port: number }
  let isStopped = false
  const stop = async (): Promise<void> => {
    if (isStopped) return
    isStopped = true
    const closed = once(server, 'close')
    server.close()
    for (const session of sessions) session.destroy()
    if ('closeAllConnections' in server) server.closeAllConnections()
    await closed
  }
  return {
    url: `http://127.0.0.1:${port}`,
    get calls() {
      return calls
    },
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

/** The client of the shop over a transport. */
export function clientOf(transport: Transport): ConnectShop {
  return createClient(shop, transport) as unknown as ConnectShop
}
