import { isUint8Array } from 'node:util/types'
import type { ClientHttp2Stream } from 'node:http2'
import type { AnswerHead } from '../../http/answer-head.ts'
import type { AnswerSink } from '../../run/active-run.ts'
import type { Scope } from '../../run/scope.ts'
import { headerValue } from '../../http/headers.ts'
import { receivedHeaders } from '../../http/received-headers.ts'
import type { HeaderPairs } from '../../trace/http-facts.ts'
import { emitIn, watchDestroy } from '../http/client-request-events.ts'

/** Receives the answer to an HTTP/2 request before the agent does. */
export interface StreamSink extends Pick<AnswerSink, 'head' | 'data' | 'end' | 'fail'> {
  /** Everything that follows comes after what has been sent. */
  sent(): void
  /** The agent no longer wants the answer. */
  stop(): void
  /** Returns what the client reads instead of a piece. Default: the piece. */
  given?(bytes: Uint8Array): Uint8Array
  /** Returns what is left of the replaced bytes at the end. */
  rest?(): Uint8Array
}

/** Follows the answer to a request of a run. */
export function followAnswer(stream: ClientHttp2Stream, scope: Scope, sink: StreamSink): void {
  new FollowedAnswer(stream, sink).follow(scope)
}

/** Node passes on a body before the headers if both arrive in one piece. */
class FollowedAnswer {
  readonly #stream: ClientHttp2Stream
  readonly #sink: StreamSink
  /** The data that came before the headers; undefined once the headers have come. */
  #early: Uint8Array[] | undefined = []
  #hasEnded = false
  #trailers: HeaderPairs = []

  constructor(stream: ClientHttp2Stream, sink: StreamSink) {
    this.#stream = stream
    this.#sink = sink
  }

  follow(scope: Scope): void {
    const stream = this.#stream
    const push = stream.push.bind(stream)
    stream.push = (chunk: unknown, encoding?: BufferEncoding) => {
      if (isUint8Array(chunk)) return this.#gives(this.#sink.given?.(chunk) ?? chunk, push)
      if (chunk === null) {
        this.#gives(this.#sink.rest?.() ?? new Uint8Array(), push)
        // Events of what arrived together with the end are emitted before this.
        process.nextTick(() => this.#end())
      }
      return push(chunk, encoding)
    }
    watchDestroy(stream, (error) => {
      if (error === undefined || error === null) return this.#leaves()
      this.#sink.sent()
      this.#sink.fail(error)
    })
    const { close } = stream
    stream.close = (...args: Parameters<typeof close>) => {
      if (!stream.closed) this.#leaves()
      return Reflect.apply(close, stream, args)
    }
    emitIn(stream, scope, (event, [first, , raw]) => {
      if (event === 'headers') this.#sink.head(headOf(first, raw))
      if (event === 'response') this.#head(headOf(first, raw))
      if (event === 'trailers') this.#trailers = receivedHeaders((raw ?? first) as never)
      if (event === 'error') {
        this.#sink.sent()
        this.#sink.fail(first)
      }
      if (event === 'close') this.#closes()
    })
  }

  /** @returns Whether more may come. */
  #gives(piece: Uint8Array, push: (piece: Uint8Array) => boolean): boolean {
    if (piece.length === 0) return true
    this.#data(piece)
    return push(piece)
  }

  #head(head: AnswerHead): void {
    this.#sink.sent()
    this.#sink.head(head)
    for (const piece of this.#early ?? []) this.#sink.data(piece)
    this.#early = undefined
  }

  #data(piece: Uint8Array): void {
    if (this.#early === undefined) this.#sink.data(piece)
    else this.#early.push(Buffer.from(piece))
  }

  #end(): void {
    if (this.#early !== undefined || this.#stream.rstCode !== 0) return
    this.#hasEnded = true
    this.#sink.end(this.#trailers)
  }

  /** The agent no longer wants the answer. Node itself closes and destroys a stream that has ended. */
  #leaves(): void {
    if (this.#hasEnded || this.#stream.aborted || this.#stream.readableEnded) return
    this.#sink.stop()
  }

  #closes(): void {
    this.#sink.sent()
    if (this.#hasEnded) return
    // The server cancelled the stream. Node emits no error for this code.
    this.#sink.fail(Object.assign(new Error('the stream was cancelled'), { code: cancelled }))
  }
}

/** @param raw The headers as received: a flat list. */
function headOf(headers: unknown, raw: unknown): AnswerHead {
  const pairs = receivedHeaders((raw ?? headers) as never)
  return { status: Number(headerValue(pairs, ':status') ?? 0), headers: pairs.filter(([name]) => !name.startsWith(':')) }
}

/** The error code of a stream that the server cancelled. */
export const cancelled = 'NGHTTP2_CANCEL'
