import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { Duplex } from 'node:stream'

/** A WebSocket server on loopback. */
export interface WebSocketServer extends AsyncDisposable {
  /** `127.0.0.1:<port>` */
  readonly host: string
  readonly connections: number
  /** The messages it heard. */
  readonly heard: readonly string[]
}

/** Listens, and says each message of a client back. It knows short texts and closing. Source: RFC 6455, sections 4.2.2 and 5.2. */
export async function listenWebSocket(): Promise<WebSocketServer> {
  const server = createServer((_request, response) => response.end('plain'))
  const open = new Set<Duplex>()
  const heard: string[] = []
  server.on('upgrade', (request, socket) => {
    open.add(socket)
    const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`)
    socket.on('error', () => undefined)
    socket.on('data', (frame: Buffer) => {
      const [first = 0, second = 0] = frame
      const mask = frame.subarray(2, 6)
      const payload = frame.subarray(6, 6 + (second & 0x7f)).map((byte, index) => byte ^ (mask[index % 4] ?? 0))
      // What closes is answered by the same, a text by a text.
      if ((first & 0x0f) === 8) return void socket.end(Buffer.from([0x88, 0]))
      heard.push(String(Buffer.from(payload)))
      socket.write(Buffer.concat([Buffer.from([0x81, payload.length]), payload]))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return {
    host: `127.0.0.1:${port}`,
    get connections() {
      return open.size
    },
    heard,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}
