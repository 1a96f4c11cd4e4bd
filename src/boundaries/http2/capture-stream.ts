import type { ClientHttp2Stream } from 'node:http2'
import type { CapturedExchange, RecordedRun } from '../../run/active-run.ts'
import { runBelow, type Scope } from '../../run/scope.ts'
import { markTransport } from '../contact/known-sockets.ts'
import { BodyPieces, watchWrites } from '../http/body-pieces.ts'
import { followAnswer } from './follow-answer.ts'
import type { StreamRequest } from './stream-request.ts'

/** Lets a request go out over HTTP/2 and records it: its body as it is written, its answer as it arrives. */
export function captureStream(
  scope: Scope,
  run: RecordedRun,
  { method, url, headers }: StreamRequest,
  open: () => ClientHttp2Stream,
): ClientHttp2Stream {
  const exchange = run.captureExchange({ owner: scope.owner, method, url, headers })
  const stream = runBelow(scope, { exchange }, open)
  markTransport(stream)
  const sendBody = teeBody(stream, exchange)
  if (stream.writableEnded) sendBody()
  followAnswer(stream, scope, {
    sent: sendBody,
    head: (status, pairs) => exchange.head(status, pairs),
    data: (bytes) => exchange.data(bytes),
    end: (trailers) => exchange.end(trailers),
    fail: (error) => exchange.fail(error),
    stop: () => {
      sendBody()
      exchange.stop(undefined)
    },
  })
  return stream
}

/** @returns Stops waiting for more of the body; the end of the request does so, too. */
function teeBody(stream: ClientHttp2Stream, exchange: CapturedExchange): () => void {
  const pieces = new BodyPieces()
  let isSent = false
  const send = (): void => {
    if (isSent) return
    isSent = true
    exchange.requestBody(pieces.whole)
  }
  watchWrites(stream, { wrote: (piece) => isSent || pieces.add(piece), ended: send })
  return send
}
