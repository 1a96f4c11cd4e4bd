import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'

/** A port of its own in front of a server, which can be shut: then every connection to it is refused, and counted. */
export interface Gate extends AsyncDisposable {
  readonly port: number
  /** How many connections were opened while it was shut. */
  readonly refused: number
  shut(): void
  open(): void
  /** From now on a connection takes this long to open, in milliseconds. */
  slow(milliseconds: number): void
}

/** Stands in front of the server at a port of loopback. */
export async function startGate(serverPort: number): Promise<Gate> {
  let [isShut, refused, delay] = [false, 0, 0]
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    if (isShut) {
      refused += 1
      return void socket.destroy()
    }
    const behind = connect(serverPort, '127.0.0.1')
    for (const each of [socket, behind]) {
      sockets.add(each)
      each.on('error', () => undefined)
      each.on('close', () => sockets.delete(each))
    }
    const join = (): unknown => socket.pipe(behind).pipe(socket)
    if (delay === 0) join()
    else setTimeout(join, delay)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    get refused() {
      return refused
    },
    shut: () => void (isShut = true),
    open: () => void (isShut = false),
    slow: (milliseconds) => void (delay = milliseconds),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
