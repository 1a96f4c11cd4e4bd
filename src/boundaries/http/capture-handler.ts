import type { CapturedExchange } from '../../run/active-run.ts'
import type { HeaderPairs } from '../../trace/rows.ts'
import { type ContentDecoder, createContentDecoder } from './content-decoder.ts'
import { fetchCoding, handlerDecodesZstd } from './fetch-coding.ts'
import { toHeaderPairs } from './headers.ts'
import { isRedirect } from './redirects.ts'
import { type DispatchController, type DispatchHandler, isControllerHandler } from './undici-types.ts'

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
 * Stands between undici and a client's handler, of either generation: each event is recorded and passed on, in the client's scope. A body
 * is decoded on its way, so that what is recorded is what the agent reads, when it reads it.
 */
export class CaptureHandler {
  readonly #inner: DispatchHandler
  readonly #exchange: CapturedExchange
  readonly #inScope: (callback: () => void) => void
  readonly #ways: CaptureWays
  #decoder: ContentDecoder | undefined
  #redirected = false
  #ended = false

  constructor(inner: DispatchHandler, exchange: CapturedExchange, inScope: (callback: () => void) => void, ways: CaptureWays) {
    this.#inner = inner
    this.#exchange = exchange
    this.#inScope = inScope
    this.#ways = ways
  }

  /** The handler to dispatch with: of the generation that the client's handler is of. */
  asHandler(): DispatchHandler {
    const inner = this.#inner
    const shared: DispatchHandler = {
      onBodySent: (...args) => inner.onBodySent?.(...args),
      onRequestSent: (...args) => inner.onRequestSent?.(...args),
      onResponseStarted: (...args) => inner.onResponseStarted?.(...args),
    }
    return isControllerHandler(inner) ? { ...shared, ...this.#withController() } : { ...shared, ...this.#withCallbacks() }
  }

  #withController(): DispatchHandler {
    const inner = this.#inner
    let watched: DispatchController
    return {
      onRequestStart: (controller, context) => {
        watched = this.#watch(controller)
        inner.onRequestStart?.(watched, context)
      },
      onRequestUpgrade: (_controller, status, headers, socket) => {
        this.#exchange.head(status, toHeaderPairs(headers as never))
        inner.onRequestUpgrade?.(watched, status, headers, socket)
      },
      onResponseStart: (_controller, status, headers, statusMessage) => {
        const pairs = toHeaderPairs(headers)
        this.#deliver(() => {
          const decoded = this.#head(status, pairs, {
            data: (bytes) => inner.onResponseData?.(watched, bytes),
            end: () => inner.onResponseEnd?.(watched, {}),
            drain: () => watched.resume(),
            fail: (error) => inner.onResponseError?.(watched, error),
          })
          inner.onResponseStart?.(watched, status, decoded ? withoutEncoding(headers) : headers, statusMessage)
        })
      },
      onResponseData: (_controller, chunk) => {
        if (this.#decoder !== undefined) {
          if (!this.#decoder.write(chunk)) watched.pause()
          return
        }
        this.#data(chunk, () => inner.onResponseData?.(watched, chunk))
      },
      onResponseEnd: (_controller, trailers) => {
        if (this.#decoder !== undefined) return this.#decoder.finish()
        this.#end(toHeaderPairs(trailers as never), () => inner.onResponseEnd?.(watched, trailers))
      },
      onResponseError: (_controller, error) => this.#fail(error, () => inner.onResponseError?.(watched, error)),
    }
  }

  #withCallbacks(): DispatchHandler {
    const inner = this.#inner
    return {
      onConnect: (abort, context) => {
        inner.onConnect?.((reason) => {
          this.#stop(reason)
          abort(reason)
        }, context)
      },
      onUpgrade: (status, headers, socket) => {
        this.#exchange.head(status, toHeaderPairs(headers as never))
        inner.onUpgrade?.(status, headers, socket)
      },
      onHeaders: (status, headers, resume, statusMessage) => {
        if (status < 200) return inner.onHeaders?.(status, headers, resume, statusMessage) ?? true
        let goOn: boolean | void = true
        this.#deliver(() => {
          const decoded = this.#head(status, toHeaderPairs(headers as never), {
            data: (bytes) => void inner.onData?.(bytes),
            end: () => inner.onComplete?.([]),
            drain: resume,
            fail: (error) => inner.onError?.(error),
          })
          goOn = inner.onHeaders?.(status, decoded ? rawWithoutEncoding(headers) : headers, resume, statusMessage)
        })
        return goOn
      },
      onData: (chunk) => {
        if (this.#decoder !== undefined) return this.#decoder.write(chunk)
        let goOn: boolean | void = true
        this.#data(chunk, () => {
          goOn = inner.onData?.(chunk)
        })
        return goOn
      },
      onComplete: (trailers) => {
        if (this.#decoder !== undefined) return this.#decoder.finish()
        this.#end(toHeaderPairs(trailers as never), () => inner.onComplete?.(trailers))
      },
      onError: (error) => this.#fail(error, () => inner.onError?.(error)),
    }
  }

  /** Records the head and sets up the decoder; tells whether there is one. */
  #head(
    status: number,
    headers: HeaderPairs,
    deliver: { data(bytes: Uint8Array): void; end(): void; drain(): void; fail(error: Error): void },
  ): boolean {
    this.#redirected = this.#ways.follows && isRedirect(status, headers)
    if (this.#redirected) return false
    const encoding = this.#ways.decodes ? fetchCoding(headers, handlerDecodesZstd(this.#inner)) : undefined
    this.#decoder = createContentDecoder(encoding, {
      data: (bytes) => this.#data(bytes, () => deliver.data(bytes)),
      end: () => this.#end([], () => deliver.end()),
      drain: () => deliver.drain(),
      fail: (error) => this.#fail(error, () => deliver.fail(error)),
    })
    const kept = this.#decoder === undefined ? headers : headers.filter(([name]) => !isAboutEncoding(name))
    this.#exchange.head(status, kept, this.#ways.url)
    return this.#decoder !== undefined
  }

  #data(bytes: Uint8Array, pass: () => void): void {
    if (!this.#redirected && !this.#ended) this.#exchange.data(bytes)
    this.#deliver(pass)
  }

  #end(trailers: HeaderPairs, pass: () => void): void {
    if (!this.#redirected && !this.#ended) {
      this.#ended = true
      this.#exchange.end(trailers)
    }
    this.#deliver(pass)
  }

  #fail(error: unknown, pass: () => void): void {
    this.#decoder?.destroy()
    if (!this.#ended) {
      this.#ended = true
      this.#exchange.fail(error)
    }
    this.#deliver(pass)
  }

  #stop(reason: unknown): void {
    if (this.#ended || this.#redirected) return
    this.#ended = true
    this.#decoder?.destroy()
    this.#exchange.stop(reason)
  }

  /** A handler may throw, as one that retries does: undici aborts the request then, which is the client's doing. */
  #deliver(pass: () => void): void {
    try {
      this.#inScope(pass)
    } catch (error) {
      this.#stop(error)
      throw error
    }
  }

  /** The controller that the client gets: aborting is recorded, and raw headers tell of no encoding that is gone. */
  #watch(controller: DispatchController): DispatchController {
    return new Proxy(controller, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key, target)
        if (key === 'rawHeaders' && this.#decoder !== undefined) return rawWithoutEncoding(value)
        if (typeof value !== 'function') return value
        if (key !== 'abort') return value.bind(target)
        return (reason: unknown) => {
          this.#stop(reason)
          target.abort(reason)
        }
      },
      set: (target, key, value) => Reflect.set(target, key, value, target),
    })
  }
}

function isAboutEncoding(name: string): boolean {
  return name === 'content-encoding' || name === 'content-length'
}

function withoutEncoding(headers: Record<string, string | string[]>): Record<string, string | string[]> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !isAboutEncoding(name.toLowerCase())))
}

function rawWithoutEncoding(headers: unknown): Buffer[] {
  return toHeaderPairs(headers as never)
    .filter(([name]) => !isAboutEncoding(name))
    .flat()
    .map((text) => Buffer.from(text, 'latin1'))
}
