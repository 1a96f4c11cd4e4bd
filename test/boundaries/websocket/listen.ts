import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type RawData, type ServerOptions, WebSocket, WebSocketServer } from 'ws'

/** A real server of the ws package on loopback. */
export interface Listening extends AsyncDisposable {
  /** `ws://127.0.0.1:<port>` */
  readonly url: string
  readonly connections: number
  /** The texts it heard. */
  readonly heard: readonly string[]
  /** Stops listening, and cuts all connections. */
  stop(): Promise<void>
}

/** What a server does with a connection. */
export type Serve = (socket: WebSocket, request: IncomingMessage) => void

/** Listens. Paths that begin with `/refuse` are refused with a body, and nothing is ever answered at `/silent`. */
export async function listen(serve: Serve, options: ServerOptions = {}): Promise<Listening> {
  const server = createServer((_request, response) => response.end('plain'))
  const sockets = new WebSocketServer({ noServer: true, ...options })
  const heard: string[] = []
  const open = new Set<Duplex>()
  let connections = 0
  server.on('connection', (socket: Duplex) => {
    connections += 1
    open.add(socket)
  })
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => undefined)
    if (request.url?.startsWith('/silent') === true) return
    if (request.url?.startsWith('/refuse') === true) {
      const body = '{"error":"no such key"}'
      socket.end(`HTTP/1.1 401 Unauthorized\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
      return
    }
    sockets.handleUpgrade(request, socket, head, (accepted) => {
      accepted.on('message', (data) => heard.push(textOf(data)))
      accepted.on('error', () => undefined)
      serve(accepted, request)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { readonly port: number }
  let isStopped = false
  const stop = async (): Promise<void> => {
    if (isStopped) return
    isStopped = true
    const closed = once(server, 'close')
    server.close()
    for (const socket of open) socket.destroy()
    await closed
  }
  return {
    url: `ws://127.0.0.1:${port}`,
    get connections() {
      return connections
    },
    heard,
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

/** The text of a message. */
export function textOf(data: RawData): string {
  return (data as Buffer).toString()
}

/** Says each message back. */
export function echo(socket: WebSocket): void {
  socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }))
}
