import type { AsyncResource } from 'node:async_hooks'
import type { CapturedExchange } from '../../run/active-run.ts'
import type { HeaderPairs } from '../../trace/rows.ts'
import { type ContentDecoder, createContentDecoder, type DecoderEvents } from './content-decoder.ts'
import { fetchCoding, handlerDecodesZstd } from './fetch-coding.ts'
import { isRedirect } from './redirects.ts'
import type { DispatchHandler } from './undici-types.ts'
import { isAboutEncoding } from './without-encoding.ts'

/** What a client does with an answer by itself. */
export interface CaptureWays {
  /** It follows redirects: one is not its answer. */
  readonly follows: boolean
  /** It decodes bodies. */
  readonly decodes: boolean
  /** Where redirects have led it. */
  readonly url: string | undefined
}

/**
 * Stands between undici and a client's handler: each event is recorded and passed on, in the client's context. A body is decoded on its way, so that
 * what is recorded is what the agent reads, when it reads it. There is one for each generation of handlers.
 */
export abstract class CaptureHandler {
  /** The client's. */
  protected readonly inner: DispatchHandler
  protected readonly exchange: CapturedExchange
  /** Set from the head on, where the body is decoded. */
  protected decoder: ContentDecoder | undefined
  readonly #context: AsyncResource | undefined
  readonly #ways: CaptureWays
  #redirected = false
  #ended = false

  /** @param context What the client's handler is called in. Default: whatever undici calls it in. */
  constructor(inner: DispatchHandler, exchange: CapturedExchange, context: AsyncResource | undefined, ways: CaptureWays) {
    this.inner = inner
    this.exchange = exchange
    this.#context = context
    this.#ways = ways
  }

  onBodySent(...args: unknown[]): void {
    this.pass(this.inner.onBodySent, ...args)
  }

  onRequestSent(...args: unknown[]): void {
    this.pass(this.inner.onRequestSent, ...args)
  }

  onResponseStarted(...args: unknown[]): void {
    this.pass(this.inner.onResponseStarted, ...args)
  }

  /** What becomes of a body that is decoded on its way. */
  protected abstract decoded(): DecoderEvents

  /** Records the head and sets up the decoder; tells whether there is one. */
  protected head(status: number, headers: HeaderPairs): boolean {
    const { follows, decodes, url } = this.#ways
    this.#redirected = follows && isRedirect(status, headers)
    if (this.#redirected) return false
    const encoding = decodes ? fetchCoding(headers, handlerDecodesZstd(this.inner)) : undefined
    if (encoding !== undefined) this.decoder = this.#call(createContentDecoder, undefined, encoding, this.decoded())
    const kept = this.decoder === undefined ? headers : headers.filter(([name]) => !isAboutEncoding(name))
    this.exchange.head(status, kept, url)
    return this.decoder !== undefined
  }

  /**
   * The client takes more of a body that is decoded on its way.
   *
   * @param resume Makes undici read on.
   */
  protected resumeDecoded(resume: () => void): void {
    this.decoder?.resume()
    // Else it reads on when there is room.
    if (this.decoder?.isFull === false) resume()
  }

  protected data(bytes: Uint8Array): void {
    if (!this.#redirected && !this.#ended) this.exchange.data(bytes)
  }

  protected end(trailers: HeaderPairs): void {
    if (this.#redirected || this.#ended) return
    this.#ended = true
    this.exchange.end(trailers)
  }

  protected fail(error: unknown): void {
    this.decoder?.destroy()
    if (this.#ended) return
    this.#ended = true
    this.exchange.fail(error)
  }

  protected stop(reason: unknown): void {
    if (this.#ended || this.#redirected) return
    this.#ended = true
    this.decoder?.destroy()
    this.exchange.stop(reason)
  }

  /**
   * Calls a method of the client's handler, where it has that. One may throw, as one that retries does: undici aborts the request then, which is the
   * client's doing.
   */
  protected pass<Args extends unknown[], Result>(method: ((...args: Args) => Result) | undefined, ...args: Args): Result | undefined {
    if (method === undefined) return undefined
    try {
      return this.#call(method, this.inner, ...args)
    } catch (error) {
      this.stop(error)
      throw error
    }
  }

  #call<Args extends unknown[], Result>(method: (...args: Args) => Result, receiver: DispatchHandler | undefined, ...args: Args): Result {
    return this.#context === undefined ? Reflect.apply(method, receiver, args) : this.#context.runInAsyncScope(method, receiver, ...args)
  }
}
