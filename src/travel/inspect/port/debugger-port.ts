import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocketPeer } from './web-socket-peer.ts'

/** A client that attached to the port. */
export interface PortClient {
  /** Sends it a message. */
  send(text: string): void
}

/** Answers a client's messages. Each client has its own handler. */
export interface ClientHandler {
  receive(text: string): void
  /** Called when the client has disconnected. */
  close(): void
}

/** The address of the port. */
export interface PortAddress {
  readonly port: number
  /** For Chrome or an editor, one client at a time. */
  readonly client: string
  /** For goldenrun's own terminal; no other client learns it. */
  readonly terminal: string
}

/**
 * The port that debuggers attach to, compatible with the port of Node's own inspector: `/json/list` names the target, a WebSocket carries the
 * protocol. It listens on 127.0.0.1 only. It refuses a second client, and requests for another host (a web page whose name was pointed at this
 * address).
 */
export class DebuggerPort {
  readonly #server: Server
  readonly #connect: (client: PortClient, isTerminal: boolean) => ClientHandler
  readonly #ids = { client: randomUUID(), terminal: randomUUID() }
  readonly #title: string
  readonly #connected = new Set<string>()

  /**
   * @param title The name of the target in clients.
   * @param connect Called for each client that attaches.
   */
  constructor(title: string, connect: (client: PortClient, isTerminal: boolean) => ClientHandler) {
    ;[this.#title, this.#connect] = [title, connect]
    this.#server = createServer((request, response) => this.#answer(request, response))
    this.#server.on('upgrade', (request, socket) => this.#upgrade(request, socket))
  }

  /** @param port Default: any free port. */
  async listen(port = 0): Promise<PortAddress> {
    this.#server.listen(port, '127.0.0.1')
    await once(this.#server, 'listening')
    const [client, terminal] = [this.#urlOf(this.#ids.client), this.#urlOf(this.#ids.terminal)]
    return { port: this.#port, client, terminal }
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  get #port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  #urlOf(id: string): string {
    return `ws://127.0.0.1:${this.#port}/${id}`
  }

  #isForUs({ headers }: IncomingMessage): boolean {
    return [`127.0.0.1:${this.#port}`, `localhost:${this.#port}`].includes(headers.host ?? '')
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    if (!this.#isForUs(request)) return void response.writeHead(403).end('This debugger is for 127.0.0.1 only.\n')
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1')
    const found = this.#describe(pathname.replace(/\/$/, ''))
    if (found === undefined) return void response.writeHead(404).end()
    response.writeHead(200, { 'content-type': 'application/json; charset=UTF-8', 'cache-control': 'no-cache' }).end(JSON.stringify(found))
  }

  #describe(path: string): unknown {
    if (path === '/json/version') return { Browser: `node.js/${process.version}`, 'Protocol-Version': '1.1' }
    if (path !== '/json' && path !== '/json/list') return undefined
    const { client: id } = this.#ids
    const place = `127.0.0.1:${this.#port}/${id}`
    return [
      {
        id,
        type: 'node',
        title: this.#title,
        description: 'a replay of goldenrun',
        url: `file://${process.cwd()}`,
        webSocketDebuggerUrl: `ws://${place}`,
        devtoolsFrontendUrl: `devtools://devtools/bundled/js_app.html?experiments=true&v8only=true&ws=${place}`,
      },
    ]
  }

  #upgrade(request: IncomingMessage, socket: Duplex): void {
    const id = (request.url ?? '').slice(1)
    if (!this.#isForUs(request)) return refuse(socket, '403 Forbidden')
    if (id !== this.#ids.client && id !== this.#ids.terminal) return refuse(socket, '404 Not Found')
    if (this.#connected.has(id)) return refuse(socket, '409 Conflict')
    this.#connected.add(id)
    const peer = new WebSocketPeer(request, socket)
    const handler = this.#connect(peer, id === this.#ids.terminal)
    peer.listen(
      (text) => handler.receive(text),
      () => {
        this.#connected.delete(id)
        handler.close()
      },
    )
  }
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`)
}
