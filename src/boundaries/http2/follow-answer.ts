import { isUint8Array } from 'node:util/types'
import type { ClientHttp2Stream } from 'node:http2'
import type { AnswerSink } from '../../run/active-run.ts'
import type { Scope } from '../../run/scope.ts'
import { toHeaderPairs } from '../../http/headers.ts'
import { emitIn, watchDestroy } from '../http/client-request-events.ts'

/** Where the answer to a request over HTTP/2 goes, before the agent sees it. */
export interface StreamSink extends Pick<AnswerSink, 'head' | 'data' | 'end' | 'fail'> {
  /** What follows comes after what has been sent. */
  sent(): void
  /** The agent wants no more of it. */
  stop(): void
  /** What the client gets to read in place of a piece. Default: the piece. */
  given?(bytes: Uint8Array): Uint8Array
  /** What is left of that at the end. */
  rest?(): Uint8Array
}

/** Follows the answer to a request of a run. */
export function followAnswer(stream: ClientHttp2Stream, scope: Scope, sink: StreamSink): void {
  new FollowedAnswer(stream, sink).follow(scope)
}

/** Node hands on a body before the headers, if both have come in one piece. */
class FollowedAnswer {
  readonly #stream: ClientHttp2Stream
  readonly #sink: StreamSink
  /** What came before the headers; undefined once they have come. */
  #early: Uint8Array[] | undefined = []
  #hasEnded = false
  #trailers: unknown = {}

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
        // Events of what came with the end are emitted before this.
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
    emitIn(stream, scope, (event, [first]) => {
      if (event === 'response') this.#head(first)
      if (event === 'trailers') this.#trailers = first
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

  #head(headers: unknown): void {
    this.#sink.sent()
    const pairs = toHeaderPairs(headers as Record<string, unknown>)
    const status = Number(pairs.find(([name]) => name === ':status')?.[1] ?? 0)
    this.#sink.head(
      status,
      pairs.filter(([name]) => !name.startsWith(':')),
    )
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
    this.#sink.end(toHeaderPairs(this.#trailers as Record<string, unknown>))
  }

  /** The agent wants no more of it. Node itself closes and destroys what has come to its end. */
  #leaves(): void {
    if (this.#hasEnded || this.#stream.aborted || this.#stream.readableEnded) return
    this.#sink.stop()
  }

  #closes(): void {
    this.#sink.sent()
    if (this.#hasEnded) return
    // The server has ended it early. Of such a code Node makes no error.
    this.#sink.fail(Object.assign(new Error('the stream was cancelled'), { code: cancelled }))
  }
}

/** The code of the error that stands for a stream that the server has cancelled. */
export const cancelled = 'NGHTTP2_CANCEL'
