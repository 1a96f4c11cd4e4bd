import type { Undecoded } from '../../trace/rows.ts'
import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2'
import type { AnswerSink } from '../../run/active-run.ts'
import { type AnsweredScope, contextIn } from '../../run/scope.ts'
import type { HeaderPairs } from '../../trace/http-facts.ts'
import type { AnswerHead } from '../../http/answer-head.ts'
import { isInformational } from '../../trace/http-head.ts'
import { headerValue } from '../../http/headers.ts'
import { EncodedAnswer } from '../../http/encoded-answer.ts'
import { emitIn } from '../http/client-request-events.ts'
import { SentBody } from '../http/sent-body.ts'
import { StreamDouble } from './stream-double.ts'
import type { StreamRequest } from './stream-request.ts'

/** Answers an HTTP/2 request from the trace. The session, which may be real, sends nothing. */
export function answerStream(
  scope: AnsweredScope,
  session: ClientHttp2Session,
  request: StreamRequest,
  isBodiless: boolean,
): ClientHttp2Stream {
  const { method, url, headers } = request
  const body = Promise.withResolvers<Uint8Array | undefined>()
  const sent = new SentBody(scope, request, (bytes) => body.resolve(bytes))
  let stop = (): void => undefined
  const stream = new StreamDouble(session, request, isBodiless, {
    wrote: (bytes) => sent.wrote(bytes),
    ended: () => sent.ended(),
    stopped: () => stop(),
  })
  emitIn(stream, contextIn(scope))
  if (headerValue(headers, 'expect') !== undefined) process.nextTick(() => stream.emit('continue'))
  const start = { owner: scope.owner, method, url, headers }
  const exchange = scope.run.answerExchange(
    start,
    isBodiless ? undefined : body.promise,
    new StreamAnswer(method, stream, () => sent.tell()),
  )
  stop = () => {
    sent.tell()
    exchange.stop()
  }
  return stream as unknown as ClientHttp2Stream
}

class StreamAnswer implements AnswerSink {
  readonly #method: string
  readonly #stream: StreamDouble
  readonly cutBody: () => void
  #body: EncodedAnswer | undefined

  constructor(method: string, stream: StreamDouble, cutBody: () => void) {
    this.#method = method
    this.#stream = stream
    this.cutBody = cutBody
  }

  head(head: AnswerHead): void {
    const { status, headers } = head
    if (isInformational(status)) return this.#stream.informs(status, headers)
    this.#body = new EncodedAnswer(this.#method, head)
    if (!this.#stream.destroyed) this.#stream.responds(status, this.#body.headers, head)
  }

  data(bytes: Uint8Array, encoded?: Undecoded): void {
    this.#push(this.#body?.piece(bytes, encoded) ?? bytes)
  }

  end(trailers: HeaderPairs = []): void {
    this.#push(this.#body?.end() ?? new Uint8Array())
    if (!this.#stream.destroyed) this.#stream.responsesEnd(trailers)
  }

  fail(error: unknown): void {
    this.#stream.fails(error)
  }

  #push(bytes: Uint8Array): void {
    if (bytes.length > 0 && !this.#stream.destroyed) this.#stream.push(Buffer.from(bytes))
  }
}
