import { isUint8Array } from 'node:util/types'
import type { ClientRequest, IncomingMessage } from 'node:http'
import type { AnswerHead } from '../../http/answer-head.ts'
import type { CapturedExchange } from '../../run/active-run.ts'
import { type RecordedScope, runBelow, type Scope } from '../../run/scope.ts'
import { builtins } from '../../node/builtins.ts'
import { markTransport } from '../contact/known-sockets.ts'
import { watchWrites } from './body-pieces.ts'
import { connectionState, followConnection } from './connection-facts.ts'
import { emitIn, watchDestroy } from './client-request-events.ts'
import { requestHeadersOf } from './request-headers-of.ts'
import { SentBody } from './sent-body.ts'
import { receivedHeaders } from '../../http/received-headers.ts'

/** Sends a `ClientRequest` and records it: its body as it is written, its answer as it arrives. */
export function captureClientRequest(scope: RecordedScope, request: ClientRequest, url: string, goOut: () => void): void {
  let hasTimedOut = false
  const exchange = scope.run.captureExchange({
    owner: scope.owner,
    method: request.method,
    url,
    headers: requestHeadersOf(request),
    connection: () => connectionState(request),
    idleLimit: () => (hasTimedOut ? 0 : (request.socket?.timeout ?? 0)),
  })
  const headers = (): [string, string][] => requestHeadersOf(request)
  const sent = new SentBody(scope, { url, headers }, (body, isPart) => exchange.requestBody(body, headers(), isPart))
  watchWrites(request, sent)
  let answered = false
  // Recorded immediately, because the client's reaction (an error, the end of a loop) comes later and may end the run.
  watchDestroy(request, (error) => {
    sent.tell()
    // A client that hears of a lost connection before Node's request does is not the one that ends the exchange.
    const lost = request.socket?.errored ?? undefined
    if (isOfSystem(lost)) exchange.fail(lost)
    else exchange.stop(briefly(error) ?? (answered ? undefined : hungUp()))
  })
  emitIn(request, scope, (event, [first]) => {
    // Later writes to the request go to this socket, and are not a separate contact.
    if (event === 'socket' && first instanceof builtins.net.Socket) {
      markTransport(first)
      followConnection(first)
    }
    if (event === 'response' && first instanceof builtins.http.IncomingMessage) {
      answered = true
      sent.tell()
      captureAnswer(scope, exchange, first)
    }
    // From here on, the connection speaks another protocol.
    if ((event === 'upgrade' || event === 'connect') && first instanceof builtins.http.IncomingMessage) {
      exchange.head(headOf(first))
      exchange.end()
    }
    if (event === 'information' && !isLeave(request, first as IncomingMessage)) exchange.head(headOf(first as IncomingMessage))
    if (event === 'timeout') hasTimedOut = true
    if (event === 'error') {
      sent.tell()
      exchange.fail(first)
    }
    // Once there is an answer, the answer determines how the exchange ends.
    if (event === 'close' && !answered) exchange.stop(undefined)
  })
  runBelow(scope, { exchange }, goOut)
}

/** Returns whether an informational response gives leave to send the body. A replay gives it at once. */
function isLeave(request: ClientRequest, { statusCode }: IncomingMessage): boolean {
  return statusCode === 100 && request.getHeader('expect') !== undefined
}

function captureAnswer(scope: Scope, exchange: CapturedExchange, answer: IncomingMessage): void {
  exchange.head(headOf(answer))
  const push = answer.push.bind(answer)
  answer.push = (chunk: unknown, encoding?: BufferEncoding) => {
    if (isUint8Array(chunk)) exchange.data(chunk)
    if (chunk === null && answer.complete) exchange.end(receivedHeaders(answer.rawTrailers))
    return push(chunk, encoding)
  }
  watchDestroy(answer, (error) => {
    if (isReset(error)) exchange.fail(error)
    // An answer is also destroyed after it has been read to its end.
    else if (!answer.complete || answer.readableLength > 0) exchange.stop(briefly(error))
  })
  emitIn(answer, scope, (event) => {
    if (event === 'close') exchange.stop(undefined)
  })
}

function headOf({ statusCode = 0, statusMessage = '', httpVersion, rawHeaders }: IncomingMessage): AnswerHead {
  const version = httpVersion === '1.1' ? {} : { version: httpVersion }
  return { status: statusCode, statusText: statusMessage, ...version, headers: receivedHeaders(rawHeaders) }
}

/** Returns a shortened form of the client's reason, because some clients attach a lot to it. */
function briefly(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const brief = new Error(error.message, error.cause === undefined ? undefined : { cause: error.cause })
  brief.name = error.name
  return 'code' in error ? Object.assign(brief, { code: error.code }) : brief
}

/** Returns the error of a request that was destroyed without a reason. */
function hungUp(): Error {
  return Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
}

/** Returns whether an error is one of the operating system: of a connection, not of the program. */
function isOfSystem(error: Error | undefined): error is Error {
  return error !== undefined && 'syscall' in error
}

/** Returns whether an error is Node's for an answer whose connection was lost. */
function isReset(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNRESET'
}
