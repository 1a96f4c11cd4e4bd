import type { AsyncResource } from 'node:async_hooks'
import type { AnswerHead } from '../../http/answer-head.ts'
import type { CapturedExchange } from '../../run/active-run.ts'
import { isInformational } from '../../trace/http-head.ts'
import type { HeaderPairs } from '../../trace/http-facts.ts'
import { codingsOf } from '../../http/codings.ts'
import type { MakeDecoder } from './decoder-door.ts'
import { DecoderWatch } from './decoder-watch.ts'
import { headerValue } from '../../http/headers.ts'
import { receivedHeaders } from '../../http/received-headers.ts'
import { isRedirect } from '../../http/redirects.ts'
import type { DispatchController, DispatchHandler } from './undici-types.ts'

/** How a client handles an answer. */
export interface CaptureWays {
  /** The client follows redirects, so a redirect is not its answer. */
  readonly follows: boolean
  /** Set if the client decodes bodies: creates the context for decoding. */
  readonly decoding: ((decoder: MakeDecoder) => AsyncResource) | undefined
  /** The final URL after redirects. */
  readonly url: string | undefined
}

/**
 * Sits between undici and a client's handler: each event is recorded and passed on unchanged, in the client's context. If the client
 * decodes the body, what the agent reads is recorded, when it reads it. There is one class for each generation of handlers.
 */
abstract class CaptureHandler {
  /** The client's handler. */
  protected readonly inner: DispatchHandler
  protected readonly exchange: CapturedExchange
  /** Set once the head has arrived, if the client decodes the body. */
  #decoding: DecoderWatch | undefined
  #context: AsyncResource | undefined
  readonly #ways: CaptureWays
  #redirected = false
  #ended = false
  #trailers: HeaderPairs = []

  /** @param context The context for the client's handler. Default: undici's. */
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

  /** Records the head and passes it on. */
  protected head<Result>(received: AnswerHead, pass: () => Result): Result {
    const { status, headers } = received
    if (isInformational(status)) {
      this.exchange.head(received)
      return pass()
    }
    const { follows, url } = this.#ways
    this.#redirected = follows && isRedirect(status, headers)
    if (this.#redirected) return pass()
    const head = url === undefined ? received : { ...received, url }
    const watch = this.#watchDecoders(headers)
    if (watch === undefined) {
      this.exchange.head(head)
      return pass()
    }
    // Whether the client decodes is known once it has the head. Its agent is notified later, by a promise.
    const result = pass()
    if (watch.isDecoding) this.#decoding = watch
    this.exchange.head(head, watch.isDecoding)
    return result
  }

  #watchDecoders(headers: HeaderPairs): DecoderWatch | undefined {
    const { decoding } = this.#ways
    const codings = decoding && codingsOf(headerValue(headers, 'content-encoding'))
    if (decoding === undefined || codings === undefined) return undefined
    const watch = new DecoderWatch(codings, {
      data: (bytes) => this.#record(bytes),
      end: () => this.#end(),
      fail: (error) => this.fail(error),
    })
    this.#context = decoding(watch.make)
    return watch
  }

  protected data(bytes: Uint8Array): void {
    if (this.#decoding === undefined) this.#record(bytes)
    else this.#decoding.hasInput = true
  }

  #record(bytes: Uint8Array): void {
    if (!this.#redirected && !this.#ended) this.exchange.data(bytes)
  }

  protected end(trailers: HeaderPairs): void {
    this.#trailers = trailers
    // If it is being decoded, the body ends when all of it has been decoded.
    if (this.#decoding?.hasInput !== true) this.#end()
  }

  #end(): void {
    if (this.#redirected || this.#ended) return
    this.#ended = true
    this.exchange.end(this.#trailers)
  }

  protected fail(error: unknown): void {
    if (this.#ended) return
    this.#ended = true
    this.exchange.fail(error)
  }

  protected stop(reason: unknown): void {
    if (this.#ended || this.#redirected) return
    this.#ended = true
    this.exchange.stop(reason)
  }

  /**
   * Calls a method of the client's handler, if it exists. It may throw, for instance to retry: undici then aborts the request, which counts
   * as the client's action.
   */
  protected pass<Args extends unknown[], Result>(method: ((...args: Args) => Result) | undefined, ...args: Args): Result | undefined {
    if (method === undefined) return undefined
    try {
      const context = this.#context
      return context === undefined ? Reflect.apply(method, this.inner, args) : context.runInAsyncScope(method, this.inner, ...args)
    } catch (error) {
      this.stop(error)
      throw error
    }
  }
}

/** Captures for a handler of the older generation: `onConnect` and similar. */
export class CaptureCallbacks extends CaptureHandler implements DispatchHandler {
  onConnect(abort: (reason?: unknown) => void, context: unknown): void {
    this.pass(
      this.inner.onConnect,
      (reason?: unknown) => {
        this.stop(reason)
        abort(reason)
      },
      context,
    )
  }

  onUpgrade(status: number, headers: unknown, socket: unknown): void {
    this.exchange.head({ status, headers: receivedHeaders(headers as never) })
    this.pass(this.inner.onUpgrade, status, headers, socket)
  }

  onHeaders(status: number, headers: unknown, resume: () => void, statusMessage?: string): boolean | void {
    const head = headOf(status, headers, statusMessage)
    const goesOn = this.head(head, () => this.pass(this.inner.onHeaders, status, headers, resume, statusMessage))
    return isInformational(status) ? (goesOn ?? true) : goesOn
  }

  onData(chunk: Uint8Array): boolean | void {
    this.data(chunk)
    return this.pass(this.inner.onData, chunk)
  }

  onComplete(trailers: unknown): void {
    this.end(receivedHeaders(trailers as never))
    this.pass(this.inner.onComplete, trailers)
  }

  onError(error: unknown): void {
    this.fail(error)
    this.pass(this.inner.onError, error)
  }
}

/** Captures for a handler of the newer generation: `onRequestStart` and similar. */
export class CaptureControlled extends CaptureHandler implements DispatchHandler {
  /** The client's controller; there is none if its request fails before it starts. */
  #controller!: DispatchController

  onRequestStart(controller: DispatchController, context: unknown): void {
    this.#controller = this.#watch(controller)
    this.pass(this.inner.onRequestStart, this.#controller, context)
  }

  onRequestUpgrade(controller: DispatchController, status: number, headers: unknown, socket: unknown): void {
    this.exchange.head({ status, headers: receivedHeaders((controller.rawHeaders ?? headers) as never) })
    this.pass(this.inner.onRequestUpgrade, this.#controller, status, headers, socket)
  }

  onResponseStart(
    controller: DispatchController,
    status: number,
    headers: Record<string, string | string[]>,
    statusMessage?: string,
  ): void {
    const head = headOf(status, controller.rawHeaders ?? headers, statusMessage)
    this.head(head, () => this.pass(this.inner.onResponseStart, this.#controller, status, headers, statusMessage))
  }

  onResponseData(_controller: DispatchController, chunk: Uint8Array): void {
    this.data(chunk)
    this.pass(this.inner.onResponseData, this.#controller, chunk)
  }

  onResponseEnd(controller: DispatchController, trailers: unknown): void {
    this.end(receivedHeaders((controller.rawTrailers ?? trailers) as never))
    this.pass(this.inner.onResponseEnd, this.#controller, trailers)
  }

  onResponseError(_controller: DispatchController, error: unknown): void {
    this.fail(error)
    this.pass(this.inner.onResponseError, this.#controller, error)
  }

  /** Returns the controller for the client, which records aborting. */
  #watch(controller: DispatchController): DispatchController {
    return new Proxy(controller, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key, target)
        if (typeof value !== 'function') return value
        if (key !== 'abort') return value.bind(target)
        return (reason: unknown) => {
          this.stop(reason)
          target.abort(reason)
        }
      },
      set: (target, key, value) => Reflect.set(target, key, value, target),
    })
  }
}

/** @param headers By name, or as received: a flat list. */
function headOf(status: number, headers: unknown, statusText: string | undefined): AnswerHead {
  return { status, ...(statusText === undefined ? {} : { statusText }), headers: receivedHeaders(headers as never) }
}
