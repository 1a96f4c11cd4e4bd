import type { DecoderEvents } from './content-decoder.ts'
import { CaptureHandler } from './capture-handler.ts'
import { toHeaderPairs } from './headers.ts'
import type { DispatchController, DispatchHandler } from './undici-types.ts'
import { withoutEncoding, withoutRawEncoding } from './without-encoding.ts'

/** Captures for a handler of the newer generation: `onRequestStart` and its kin. */
export class CaptureControlled extends CaptureHandler implements DispatchHandler {
  /** Undici's. */
  #original: DispatchController | undefined
  #watched: DispatchController | undefined

  protected decoded(): DecoderEvents {
    return {
      data: (bytes) => {
        this.data(bytes)
        this.pass(this.inner.onResponseData, this.#controller, bytes)
      },
      end: () => {
        this.end([])
        this.pass(this.inner.onResponseEnd, this.#controller, {})
      },
      drain: () => this.#original?.resume(),
      fail: (error) => this.onResponseError(this.#controller, error),
    }
  }

  onRequestStart(controller: DispatchController, context: unknown): void {
    this.#original = controller
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
    const isDecoded = this.head(status, toHeaderPairs(headers))
    this.pass(this.inner.onResponseStart, this.#controller, status, isDecoded ? withoutEncoding(headers) : headers, statusMessage)
  }

  onResponseData(_controller: DispatchController, chunk: Uint8Array): void {
    if (this.decoder !== undefined) {
      if (!this.decoder.write(chunk)) this.#original?.pause()
      return
    }
    this.data(chunk)
    this.pass(this.inner.onResponseData, this.#controller, chunk)
  }

  onResponseEnd(_controller: DispatchController, trailers: unknown): void {
    if (this.decoder !== undefined) return this.decoder.finish()
    this.end(toHeaderPairs(trailers as never))
    this.pass(this.inner.onResponseEnd, this.#controller, trailers)
  }

  onResponseError(_controller: DispatchController, error: unknown): void {
    this.fail(error)
    this.pass(this.inner.onResponseError, this.#controller, error)
  }

  /** The one that the client gets; it has none where its request fails before it starts. */
  get #controller(): DispatchController {
    return this.#watched as DispatchController
  }

  /**
   * The controller that the client gets: aborting is recorded, of a body that is decoded on its way what is decoded is held back, and raw headers tell of
   * no encoding that is gone.
   */
  #watch(controller: DispatchController): DispatchController {
    return new Proxy(controller, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key, target)
        const { decoder } = this
        if (decoder !== undefined && key === 'rawHeaders') return withoutRawEncoding(value)
        if (decoder !== undefined && key === 'paused') return decoder.isPaused
        if (decoder !== undefined && key === 'pause') return () => decoder.pause()
        if (decoder !== undefined && key === 'resume') return () => this.resumeDecoded(() => target.resume())
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
