import type { Undecoded } from '../../trace/rows.ts'
import type { ClientRequest, IncomingMessage, RequestListener, Server } from 'node:http'
import nodeStream, { type Duplex } from 'node:stream'
import type { AnswerSink } from '../../run/active-run.ts'
import { type AnsweredScope, contextIn, runBelow } from '../../run/scope.ts'
import type { ConnectionState, HeaderPairs } from '../../trace/http-facts.ts'
import { builtins } from '../../node/builtins.ts'
import { defineOwn } from '../patches.ts'
import { watchWrites } from './body-pieces.ts'
import { emitIn, watchDestroy } from './client-request-events.ts'
import { addFacts, setState } from './connection-facts.ts'
import { IdleLimit, initialLimit, socketMethods, socketTimeout } from './idle-limit.ts'
import { requestHeadersOf } from './request-headers-of.ts'
import { SentBody } from './sent-body.ts'
import type { AnswerHead } from '../../http/answer-head.ts'
import { watchRecord } from '../../http/left-out-reads.ts'
import { WrittenAnswer } from './written-answer.ts'

/** Handles the request that arrives at the far end of an in-memory connection. */
const peers = new WeakMap<object, RequestListener>()
let server: Server | undefined

/**
 * Answers a `ClientRequest` from the trace. The request gets an in-memory connection with Node's own HTTP server at the far end, which reads
 * the request; the client parses a real answer, piece by piece. The server never listens.
 */
export function answerClientRequest(scope: AnsweredScope, request: ClientRequest, url: string): void {
  const body = Promise.withResolvers<Uint8Array | undefined>()
  const headers = (): [string, string][] => requestHeadersOf(request)
  const sent = new SentBody(scope, { url, headers }, (bytes) => body.resolve(bytes))
  watchWrites(request, {
    wrote: (piece) => {
      limit.touch()
      sent.wrote(piece)
    },
    ended: () => sent.ended(),
  })
  const [near, far] = nodeStream.duplexPair()
  const limit = new IdleLimit((milliseconds) => exchange.limitIdle?.(scope.owner, milliseconds, () => near.emit('timeout')))
  const answer = new ServerAnswer(request, () => sent.tell(), limit)
  const exchange = scope.run.answerExchange({ owner: scope.owner, method: request.method, url, headers }, body.promise, answer)
  let received: IncomingMessage | undefined
  const stop = (): void => {
    limit.end()
    // A client that knows the length of a body is done with its last byte, before the end arrives.
    if (received?.complete !== true) exchange.stop()
  }
  watchDestroy(request, () => {
    limit.end()
    sent.tell()
    exchange.stop()
  })
  const context = contextIn(scope)
  emitIn(request, context, (event, [message]) => {
    if (event === 'response' && message instanceof builtins.http.IncomingMessage) {
      received = message
      watchRecord(message.headers, answer.given ?? {})
      watchDestroy(message, stop)
      emitIn(message, context)
    }
    if (event === 'close') stop()
  })
  runBelow(scope, {}, () => {
    peers.set(far, (message, response) => {
      answer.connect(near, new WrittenAnswer(far, request.method, response.shouldKeepAlive))
      message.resume()
    })
    const socket = Object.assign(asSocket(near, url), { setTimeout: socketTimeout(near, limit) })
    addFacts(socket, isSecure(url))
    socket.setTimeout(initialLimit(request))
    request.onSocket(socket as never)
    inMemoryServer().emit('connection', asSocket(far, url))
  })
}

function inMemoryServer(): Server {
  server ??= builtins.http.createServer(
    // The recorded server has decided what it accepts.
    { keepAliveTimeout: 0, requestTimeout: 0, headersTimeout: 0, connectionsCheckingInterval: 2 ** 30, maxHeaderSize: 2 ** 30 },
    (message, response) => peers.get(message.socket)?.(message, response),
  )
  return server
}

/** Holds the answer until the request has reached the server's side. */
class ServerAnswer implements AnswerSink {
  /** The head of the answer, once it has come. */
  given: AnswerHead | undefined
  #near: Duplex | undefined
  #written: WrittenAnswer | undefined
  #waiting: ((written: WrittenAnswer) => void)[] = []
  readonly #request: ClientRequest
  readonly cutBody: () => void
  readonly #limit: IdleLimit

  /** @param cutBody Cuts the request's body to what was sent. */
  constructor(request: ClientRequest, cutBody: () => void, limit: IdleLimit) {
    this.#limit = limit
    this.#request = request
    this.cutBody = cutBody
  }

  connect(near: Duplex, written: WrittenAnswer): void {
    this.#near = near
    this.#written = written
    for (const event of this.#waiting.splice(0)) event(written)
  }

  connection(state: ConnectionState): void {
    setState(this.#request, state)
  }

  head(head: AnswerHead): void {
    this.#limit.touch()
    this.given = head
    this.#do((written) => written.head(head))
  }

  data(bytes: Uint8Array, encoded?: Undecoded): void {
    this.#limit.touch()
    this.#do((written) => written.data(bytes, encoded))
  }

  end(trailers: HeaderPairs = []): void {
    this.#limit.end()
    this.#do((written) => written.end(trailers))
  }

  fail(error: unknown): void {
    this.#limit.end()
    this.#do(({ hasHead }) => this.#near?.destroy(hasHead && isAborted(error) ? undefined : asError(error)))
  }

  #do(event: (written: WrittenAnswer) => void): void {
    if (this.#written === undefined) this.#waiting.push(event)
    else event(this.#written)
  }
}

/** Returns whether an error is Node's own for an answer whose connection ended too early. */
function isAborted(error: unknown): boolean {
  return error instanceof Error && error.message === 'aborted'
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

/** Adds the members of a socket that HTTP clients and Node itself use. */
function asSocket(stream: Duplex, url: string): Duplex {
  Object.defineProperty(stream, 'readyState', { configurable: true, get: () => readyStateOf(stream) })
  // Logs and type checks of programs have the name of its class.
  defineOwn(stream, 'constructor', isSecure(url) ? builtins.tls.TLSSocket : builtins.net.Socket)
  return Object.assign(stream, socketMethods(stream), {
    connecting: false,
    pending: false,
    ...(isSecure(url) ? { encrypted: true, servername: new URL(url).hostname } : {}),
  })
}

function isSecure(url: string): boolean {
  return url.startsWith('https:')
}

/** Source: https://nodejs.org/api/net.html#socketreadystate. A client may wait for `connect` unless the socket says that it is open. */
function readyStateOf({ readable, writable }: Duplex): string {
  if (readable) return writable ? 'open' : 'readOnly'
  return writable ? 'writeOnly' : 'closed'
}
