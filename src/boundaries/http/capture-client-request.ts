import { type ClientRequest, IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { CapturedExchange, RecordedRun } from '../../run/active-run.ts'
import { runBelow, type Scope } from '../../run/scope.ts'
import { markTransport } from '../contact/known-sockets.ts'
import { emitInScope } from './client-request-events.ts'
import { toHeaderPairs } from './headers.ts'

/** Lets a `ClientRequest` go out and records it: its body as it is written, its answer as it arrives. */
export function captureClientRequest(scope: Scope, run: RecordedRun, request: ClientRequest, url: string, goOut: () => void): void {
  const exchange = run.captureExchange({ owner: scope.owner, method: request.method, url, headers: toHeaderPairs(request.getHeaders()) })
  const sendBody = teeRequestBody(request, exchange)
  const isDestroyed = watchDestroy(request)
  let answered = false
  emitInScope(request, scope, (event, [first]) => {
    // What is written to the request later is written here: it is no contact of its own.
    if (event === 'socket' && first instanceof Socket) markTransport(first)
    if (event === 'response' && first instanceof IncomingMessage) {
      answered = true
      sendBody()
      captureAnswer(scope, exchange, first, isDestroyed)
    }
    // From here on the connection speaks another protocol.
    if ((event === 'upgrade' || event === 'connect') && first instanceof IncomingMessage) {
      exchange.head(first.statusCode ?? 0, toHeaderPairs(first.rawHeaders))
      exchange.end()
    }
    if (event === 'error' && isDestroyed()) exchange.stop(first)
    else if (event === 'error') exchange.fail(first)
    // Once there is an answer, it is the answer that tells how it ended.
    if (event === 'close' && !answered) exchange.stop(undefined)
  })
  runBelow(scope, { exchange }, goOut)
}

/** @returns What tells that no more of the body is to be waited for; the end of the request does too. */
function teeRequestBody(request: ClientRequest, exchange: CapturedExchange): () => void {
  const pieces: Buffer[] = []
  const { write, end } = request
  const keep = (chunk: unknown, encoding: unknown): void => {
    if (typeof chunk === 'string') pieces.push(Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8'))
    else if (chunk instanceof Uint8Array) pieces.push(Buffer.from(chunk))
  }
  const send = (): void =>
    exchange.requestBody(pieces.length === 0 ? undefined : Buffer.concat(pieces), toHeaderPairs(request.getHeaders()))
  let inEnd = false
  request.write = (...args: unknown[]) => {
    if (!inEnd) keep(args[0], args[1])
    return Reflect.apply(write, request, args)
  }
  request.end = (...args: unknown[]) => {
    keep(args[0], args[1])
    send()
    // Node's own `end` writes what it is given.
    inEnd = true
    return Reflect.apply(end, request, args)
  }
  return send
}

/** Tells whether the client destroyed the request itself: the errors that follow are the same as when the server hangs up. */
function watchDestroy(request: ClientRequest): () => boolean {
  const { destroy } = request
  let isDestroyed = false
  request.destroy = (...args) => {
    isDestroyed = true
    return Reflect.apply(destroy, request, args)
  }
  return () => isDestroyed
}

function captureAnswer(scope: Scope, exchange: CapturedExchange, answer: IncomingMessage, isDestroyed: () => boolean): void {
  exchange.head(answer.statusCode ?? 0, toHeaderPairs(answer.rawHeaders))
  const push = answer.push.bind(answer)
  answer.push = (chunk: unknown, encoding?: BufferEncoding) => {
    if (chunk instanceof Uint8Array) exchange.data(chunk)
    if (chunk === null && answer.complete) exchange.end(toHeaderPairs(answer.rawTrailers))
    return push(chunk, encoding)
  }
  emitInScope(answer, scope, (event, [error]) => {
    if (event === 'error' && !isDestroyed() && isReset(error)) exchange.fail(error)
    else if (event === 'error' || event === 'close') exchange.stop(error)
  })
}

/** What Node destroys an answer with when the connection is gone. */
function isReset(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNRESET'
}
