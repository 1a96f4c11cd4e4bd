import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/** Answers one request. What it rejects with is a fault of the server's own, and ends the process. */
export type Handler = (incoming: IncomingMessage, response: ServerResponse) => Promise<void>

/** Where a local server listens. */
export interface ListenOptions {
  /** A fixed port, or 0 for one that the system picks. Default: 0. */
  readonly port?: number
}

/** A server on loopback. */
export interface LocalServer extends AsyncDisposable {
  /** `http://127.0.0.1:<port>`, without a slash at its end. */
  readonly url: string
  readonly port: number
  /** Stops listening and ends every connection, those with an answer under way included. */
  close(): Promise<void>
}

/**
 * Starts an HTTP server on 127.0.0.1. Rejects with Node's own error where the port is taken.
 */
export async function listen(handler: Handler, { port = 0 }: ListenOptions = {}): Promise<LocalServer> {
  const server = createServer((incoming, response) => {
    void handler(incoming, response).catch((error: unknown) => {
      // A client that went away while it sent its request is no fault of the server's.
      if (incoming.complete) throw error
    })
  })
  // On a busy machine, a client is held up for longer than Node keeps an idle connection, and would reuse one that is just being closed.
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error(`A server on loopback has no port: ${String(address)}.`)

  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${address.port}`, port: address.port, close, [Symbol.asyncDispose]: close }
}
