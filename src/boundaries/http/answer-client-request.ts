import type { ClientRequest, RequestListener, Server, ServerResponse } from 'node:http'
import nodeStream, { type Duplex } from 'node:stream'
import type { AnswerSink } from '../../run/active-run.ts'
import { type AnsweredScope, contextIn, runBelow } from '../../run/scope.ts'
import type { HeaderPairs } from '../../trace/rows.ts'
import { builtins } from '../../node/builtins.ts'
import { watchWrites } from './body-pieces.ts'
import { emitIn, watchDestroy } from './client-request-events.ts'
import { IdleLimit, initialLimit, socketMethods, socketTimeout } from './idle-limit.ts'
import { SentBody } from './sent-body.ts'
import { EncodedAnswer } from '../../http/encoded-answer.ts'
import { toHeaderPairs } from '../../http/headers.ts'

/** Handles the request that arrives at the far end of an in-memory connection. */
const peers = new WeakMap<object, RequestListener>()
let server: Server | undefined

/**
 * Answers a `ClientRequest` from the trace. The request gets an in-memory connection with Node's own HTTP server at the far end, so the
 * client parses a real answer, piece by piece. The server never listens.
 */
export function answerClientRequest(scope: AnsweredScope, request: ClientRequest, url: string): void {
  const body = Promise.withResolvers<Uint8Array | undefined>()
  const sent: Buffer[] = []
  const headers = (): [string, string][] => toHeaderPairs(request.getHeaders())
  let isTaken = false
  // Earlier writes arrive in a later turn.
  const rest = new SentBody(scope, { url, headers }, () => undefined)
  watchWrites(request, {
    wrote: (piece) => {
      limit.touch()
      if (isTaken) rest.wrote(piece)
    },
    ended: () => isTaken && rest.ended(),
  })
  const takeBody = (): void => {
    isTaken = true
    rest.tell()
    const pieces = sent.splice(0)
    body.resolve(pieces.length === 0 ? undefined : Buffer.concat(pieces))
  }
  const [near, far] = nodeStream.duplexPair()
  const limit = new IdleLimit((milliseconds) => exchange.limitIdle?.(scope.owner, milliseconds, () => near.emit('timeout')))
  const answer = new ServerAnswer(request.method, takeBody, limit)
  const exchange = scope.run.answerExchange({ owner: scope.owner, method: request.method, url, headers }, body.promise, answer)
  const stop = (): void => {
    limit.end()
    exchange.stop()
  }
  watchDestroy(request, () => {
    limit.end()
    takeBody()
    exchange.stop()
  })
  const context = contextIn(scope)
  emitIn(request, context, (event, [message]) => {
    if (event === 'response' && message instanceof builtins.http.IncomingMessage) {
      watchDestroy(message, stop)
      emitIn(message, context)
    }
    if (event === 'close') stop()
  })
  runBelow(scope, {}, () => {
    peers.set(far, (message, response) => {
      answer.connect(near, response)
      message.on('data', (piece: Buffer) => void sent.push(piece)).on('end', takeBody)
    })
    const socket = Object.assign(asSocket(near, url), { setTimeout: socketTimeout(near, limit) })
    socket.setTimeout(initialLimit(request))
    request.onSocket(socket as never)
    inMemoryServer().emit('connection', asSocket(far, url))
  })
}

function inMemoryServer(): Server {
  server ??= builtins.http.createServer(
    { keepAliveTimeout: 0, requestTimeout: 0, headersTimeout: 0, connectionsCheckingInterval: 2 ** 30 },
    (message, response) => {
      response.sendDate = false
      peers.get(message.socket)?.(message, response)
    },
  )
  return server
}

/** Holds the answer until the request has reached the server's side. */
class ServerAnswer implements AnswerSink {
  #near: Duplex | undefined
  #response: ServerResponse | undefined
  #waiting: ((response: ServerResponse) => void)[] = []
  readonly #method: string
  readonly cutBody: () => void
  readonly #limit: IdleLimit
  #body: EncodedAnswer | undefined

  /** @param cutBody Cuts the request's body to what was sent. */
  constructor(method: string, cutBody: () => void, limit: IdleLimit) {
    this.#limit = limit
    this.#method = method
    this.cutBody = cutBody
  }

  connect(near: Duplex, response: ServerResponse): void {
    this.#near = near
    this.#response = response
    for (const event of this.#waiting.splice(0)) event(response)
  }

  head(status: number, headers: HeaderPairs): void {
    const body = new EncodedAnswer(this.#method, status, headers)
    this.#limit.touch()
    this.#body = body
    this.#do((response) => {
      response.writeHead(status, body.headers.flat())
      response.flushHeaders()
    })
  }

  data(bytes: Uint8Array, isEncoded?: boolean): void {
    const piece = this.#body?.piece(bytes, isEncoded) ?? bytes
    this.#limit.touch()
    this.#do((response) => void response.write(piece))
  }

  end(trailers: HeaderPairs = []): void {
    const rest = this.#body?.end() ?? new Uint8Array()
    this.#limit.end()
    this.#do((response) => {
      if (trailers.length > 0) response.addTrailers(trailers.map(([name, value]): [string, string] => [name, value]))
      response.end(rest)
    })
  }

  fail(error: unknown): void {
    this.#limit.end()
    // After the head, Node itself creates the error for a lost connection.
    this.#do((response) => this.#near?.destroy(response.headersSent ? undefined : asError(error)))
  }

  #do(event: (response: ServerResponse) => void): void {
    if (this.#response === undefined) this.#waiting.push(event)
    else event(this.#response)
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

/** Adds the members of a socket that HTTP clients and Node itself use. */
function asSocket(stream: Duplex, url: string): Duplex {
  const { protocol, hostname } = new URL(url)
  Object.defineProperty(stream, 'readyState', { configurable: true, get: () => readyStateOf(stream) })
  return Object.assign(stream, socketMethods(stream), {
    connecting: false,
    pending: false,
    remoteAddress: '127.0.0.1',
    remoteFamily: 'IPv4',
    ...(protocol === 'https:' ? { encrypted: true, authorized: true, servername: hostname, getPeerCertificate: () => ({}) } : {}),
  })
}

/** Source: https://nodejs.org/api/net.html#socketreadystate. A client may wait for `connect` unless the socket says that it is open. */
function readyStateOf({ readable, writable }: Duplex): string {
  if (readable) return writable ? 'open' : 'readOnly'
  return writable ? 'writeOnly' : 'closed'
}
