import { type ClientRequest, IncomingMessage } from 'node:http'
import type { CapturedExchange, RecordedRun } from '../../run/active-run.ts'
import { runBelow, type Scope } from '../../run/scope.ts'
import { emitInScope } from './client-request-events.ts'
import { toHeaderPairs } from './headers.ts'

/** Lets a `ClientRequest` go out and records it: its body as it is written, its answer as it arrives. */
export function captureClientRequest(scope: Scope, run: RecordedRun, request: ClientRequest, url: string, goOut: () => void): void {
  const exchange = run.captureExchange({ owner: scope.owner, method: request.method, url, headers: toHeaderPairs(request.getHeaders()) })
  let settled = false
  teeRequestBody(request, exchange)
  emitInScope(request, scope, (event, [first]) => {
    if (event === 'response' && first instanceof IncomingMessage) captureAnswer(scope, exchange, first, () => (settled = true))
    if (event === 'error' && !settled) {
      settled = true
      if (request.destroyed && isAbort(first)) exchange.stop(first)
      else exchange.fail(first)
    }
    if (event === 'close' && !settled && request.destroyed) {
      settled = true
      exchange.stop(undefined)
    }
  })
  runBelow(scope, { exchange }, goOut)
}

function teeRequestBody(request: ClientRequest, exchange: CapturedExchange): void {
  const pieces: Buffer[] = []
  const { write, end } = request
  const keep = (chunk: unknown, encoding: unknown): void => {
    if (typeof chunk === 'string') pieces.push(Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8'))
    else if (chunk instanceof Uint8Array) pieces.push(Buffer.from(chunk))
  }
  let inEnd = false
  request.write = (...args: unknown[]) => {
    if (!inEnd) keep(args[0], args[1])
    return Reflect.apply(write, request, args)
  }
  request.end = (...args: unknown[]) => {
    keep(args[0], args[1])
    exchange.requestBody(pieces.length === 0 ? undefined : Buffer.concat(pieces), toHeaderPairs(request.getHeaders()))
    // Node's own `end` writes what it is given.
    inEnd = true
    return Reflect.apply(end, request, args)
  }
}

function captureAnswer(scope: Scope, exchange: CapturedExchange, answer: IncomingMessage, settle: () => void): void {
  exchange.head(answer.statusCode ?? 0, toHeaderPairs(answer.rawHeaders))
  const push = answer.push.bind(answer)
  let ended = false
  answer.push = (chunk: unknown, encoding?: BufferEncoding) => {
    if (chunk instanceof Uint8Array) exchange.data(chunk)
    if (chunk === null) {
      ended = true
      settle()
      exchange.end(toHeaderPairs(answer.rawTrailers))
    }
    return push(chunk, encoding)
  }
  emitInScope(answer, scope, (event, [error]) => {
    if (ended || (event !== 'error' && event !== 'close')) return
    ended = true
    settle()
    if (event === 'error' && !isAbort(error)) exchange.fail(error)
    else exchange.stop(error)
  })
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || error.message === 'socket hang up')
}
