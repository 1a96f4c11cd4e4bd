import type { ClientHttp2Stream } from 'node:http2'
import { type RecordedScope, runBelow } from '../../run/scope.ts'
import { headerValue } from '../../http/headers.ts'
import { markTransport } from '../contact/known-sockets.ts'
import { watchWrites } from '../http/body-pieces.ts'
import { SentBody } from '../http/sent-body.ts'
import { followAnswer } from './follow-answer.ts'
import type { StreamRequest } from './stream-request.ts'

/** Sends an HTTP/2 request and records it: its body as it is written, its answer as it arrives. */
export function captureStream(
  scope: RecordedScope,
  { method, url, headers }: StreamRequest,
  open: () => ClientHttp2Stream,
): ClientHttp2Stream {
  const exchange = scope.run.captureExchange({ owner: scope.owner, method, url, headers })
  const stream = runBelow(scope, { exchange }, open)
  markTransport(stream)
  const sent = new SentBody(scope, { url, headers }, (body, isPart) => exchange.requestBody(body, undefined, isPart))
  watchWrites(stream, sent)
  if (stream.writableEnded) sent.ended()
  followAnswer(stream, scope, {
    sent: () => sent.tell(),
    head: (head) => {
      // It gives leave to send the body. A replay gives it at once.
      if (head.status !== 100 || headerValue(headers, 'expect') === undefined) exchange.head(head)
    },
    data: (bytes) => exchange.data(bytes),
    end: (trailers) => exchange.end(trailers),
    fail: (error) => exchange.fail(error),
    stop: () => {
      sent.tell()
      exchange.stop(undefined)
    },
  })
  return stream
}
