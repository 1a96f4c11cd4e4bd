import { CaptureHandler } from './capture-handler.ts'
import { toHeaderPairs } from '../../http/headers.ts'
import type { DispatchController, DispatchHandler } from './undici-types.ts'

/** Captures for a handler of the newer generation: `onRequestStart` and similar. */
export class CaptureControlled extends CaptureHandler implements DispatchHandler {
  #watched: DispatchController | undefined

  onRequestStart(controller: DispatchController, context: unknown): void {
    this.#watched = this.#watch(controller)
    this.pass(this.inner.onRequestStart, this.#watched, context)
  }

  onRequestUpgrade(_controller: DispatchController, status: number, headers: unknown, socket: unknown): void {
    this.exchange.head(status, toHeaderPairs(headers as never))
    this.pass(this.inner.onRequestUpgrade, this.#controller, status, headers, socket)
  }

  onResponseStart(
    _controller: DispatchController,
    status: number,
    headers: Record<string, string | string[]>,
    statusMessage?: string,
  ): void {
    this.head(status, toHeaderPairs(headers), () => this.pass(this.inner.onResponseStart, this.#controller, status, headers, statusMessage))
  }

  onResponseData(_controller: DispatchController, chunk: Uint8Array): void {
    this.data(chunk)
    this.pass(this.inner.onResponseData, this.#controller, chunk)
  }

  onResponseEnd(_controller: DispatchController, trailers: unknown): void {
    this.end(toHeaderPairs(trailers as never))
    this.pass(this.inner.onResponseEnd, this.#controller, trailers)
  }

  onResponseError(_controller: DispatchController, error: unknown): void {
    this.fail(error)
    this.pass(this.inner.onResponseError, this.#controller, error)
  }

  /** The client's controller; there is none if its request fails before it starts. */
  get #controller(): DispatchController {
    return this.#watched as DispatchController
  }

  /** The controller that the client gets: aborting is recorded. */
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
