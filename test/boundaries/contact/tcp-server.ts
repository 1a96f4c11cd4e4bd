import { once } from 'node:events'
import net, { type Server, type Socket } from 'node:net'

/** A server on loopback that speaks no HTTP. */
export interface TcpServer extends AsyncDisposable {
  readonly port: number
  /** How many connections it has seen. */
  readonly connections: number
  /** What it has heard, of all of them together. */
  readonly heard: string
}

/**
 * Listens on a port of 127.0.0.1 that the system picks, or on a path.
 *
 * @param serve Speaks to one connection. Default: says what it hears.
 */
export function listenTcp(serve: (socket: Socket) => void = echo, path?: string): Promise<TcpServer> {
  return listenWith(net.createServer(), 'connection', serve, path)
}

/** Listens with any server that hands out sockets by an event. */
export async function listenWith(server: Server, event: string, serve: (socket: Socket) => void = echo, path?: string): Promise<TcpServer> {
  const open = new Set<Socket>()
  let connections = 0
  let heard = ''
  server.on(event, (socket: Socket) => {
    connections += 1
    open.add(socket)
    socket.on('error', () => undefined)
    socket.on('data', (piece) => (heard += String(piece)))
    serve(socket)
  })
  if (path === undefined) server.listen(0, '127.0.0.1')
  else server.listen(path)
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    get connections() {
      return connections
    },
    get heard() {
      return heard
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}

/** Says something to a server, hears all that it says, and hangs up. */
export async function converse(socket: Socket, text: string): Promise<string> {
  socket.end(text)
  return hear(socket)
}

/** Hears all that a server says. */
export async function hear(socket: Socket): Promise<string> {
  let heard = ''
  for await (const piece of socket) heard += String(piece)
  return heard
}

/** Says something on a connection that stays open, and hears as much. */
export async function ask(socket: Socket, text: string): Promise<string> {
  const answer = once(socket, 'data')
  socket.write(text)
  return String(await answer)
}

function echo(socket: Socket): void {
  socket.pipe(socket)
}
