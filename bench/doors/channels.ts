import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { WebSocket } from 'ws'
import { createShopClient, getOrder, type OrdersClient } from '../../test/boundaries/http2/shop-server.ts'
import type { BenchedDriver } from './database-drivers.ts'

const program = fileURLToPath(new URL('channel-server.ts', import.meta.url))

/** Starts a gRPC server and a WebSocket server in another process, and returns their clients. */
export async function startChannels(): Promise<AsyncDisposable & { readonly drivers: readonly BenchedDriver[] }> {
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] })
  const gone = once(child, 'exit')
  const [line] = (await Promise.race([once(child.stdout, 'data'), gone])) as [unknown]
  const addresses = JSON.parse(String(line)) as { readonly grpc: string; readonly ws: string }
  return {
    drivers: [grpc(addresses.grpc), webSocket(addresses.ws)],
    async [Symbol.asyncDispose]() {
      child.kill()
      await gone
    },
  }
}

/** Unary calls of grpc-js over an open channel. */
function grpc(host: string): BenchedDriver {
  return {
    name: 'grpc',
    async open() {
      const client = createShopClient(host)
      await getOrder(client, 'ord_0')
      return client
    },
    ask: (client, call) => getOrder(client as OrdersClient, `ord_${call}`),
    close: async (client) => (client as OrdersClient).close(),
    async stub(call) {
      await turn()
      return { id: `ord_${call}` }
    },
  }
}

/** Messages over an open connection of the ws package. The server echoes each. */
function webSocket(url: string): BenchedDriver {
  return {
    name: 'ws',
    async open() {
      const socket = new WebSocket(url)
      await once(socket, 'open')
      return socket
    },
    async ask(client, message) {
      const socket = client as WebSocket
      socket.send(JSON.stringify({ type: 'order', id: `ord_${message}` }))
      return await once(socket, 'message')
    },
    async close(client) {
      const closed = once(client as WebSocket, 'close')
      ;(client as WebSocket).close()
      await closed
    },
    async stub(message) {
      await turn()
      return JSON.parse(JSON.stringify({ type: 'order', id: `ord_${message}` })) as unknown
    },
  }
}
