import type { CapturedExchange } from '../../run/active-run.ts'
import type { HeaderPairs } from '../../trace/rows.ts'
import { type ContentDecoder, createContentDecoder } from './content-decoder.ts'
import { headerValue, toHeaderPairs } from './headers.ts'
import { isRedirect } from './redirects.ts'
import { type DispatchController, type DispatchHandler, isControllerHandler } from './undici-types.ts'

/**
 * Stands between undici and a client's handler, of either generation: each event is recorded and passed on, in the client's scope. A body
 * is decoded on its way, so that what is recorded is what the agent reads, when it reads it.
 */
export class CaptureHandler {
  readonly #inner: DispatchHandler
  readonly #exchange: CapturedExchange
  readonly #inScope: (callback: () => void) => void
  readonly #follows: boolean
  #decoder: ContentDecoder | undefined
  #redirected = false
  #ended = false

  constructor(inner: DispatchHandler, exchange: CapturedExchange, inScope: (callback: () => void) => void, follows: boolean) {
    this.#inner = inner
    this.#exchange = exchange
    this.#inScope = inScope
    this.#follows = follows
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
        watched = watchAbort(controller, (reason) => this.#stop(reason))
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
    this.#redirected = this.#follows && isRedirect(status, headers)
    if (this.#redirected) return false
    this.#exchange.head(status, headers)
    this.#decoder = createContentDecoder(headerValue(headers, 'content-encoding'), {
      data: (bytes) => this.#data(bytes, () => deliver.data(bytes)),
      end: () => this.#end([], () => deliver.end()),
      drain: () => deliver.drain(),
      fail: (error) => this.#fail(error, () => deliver.fail(error)),
    })
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

  #deliver(pass: () => void): void {
    this.#inScope(pass)
  }
}

function watchAbort(controller: DispatchController, aborted: (reason: unknown) => void): DispatchController {
  return new Proxy(controller, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target)
      if (typeof value !== 'function') return value
      if (key !== 'abort') return value.bind(target)
      return (reason: unknown) => {
        aborted(reason)
        target.abort(reason)
      }
    },
    set: (target, key, value) => Reflect.set(target, key, value, target),
  })
}

function withoutEncoding(headers: Record<string, string | string[]>): Record<string, string | string[]> {
  const { 'content-encoding': _encoding, 'content-length': _length, ...rest } = headers
  return rest
}

function rawWithoutEncoding(headers: unknown): Buffer[] {
  return toHeaderPairs(headers as never)
    .filter(([name]) => name !== 'content-encoding' && name !== 'content-length')
    .flat()
    .map((text) => Buffer.from(text, 'latin1'))
}
