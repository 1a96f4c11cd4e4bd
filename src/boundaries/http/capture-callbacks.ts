import { CaptureHandler } from './capture-handler.ts'
import { toHeaderPairs } from '../../http/headers.ts'
import type { DispatchHandler } from './undici-types.ts'

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
    this.exchange.head(status, toHeaderPairs(headers as never))
    this.pass(this.inner.onUpgrade, status, headers, socket)
  }

  onHeaders(status: number, headers: unknown, resume: () => void, statusMessage?: string): boolean | void {
    if (status < 200) return this.pass(this.inner.onHeaders, status, headers, resume, statusMessage) ?? true
    return this.head(status, toHeaderPairs(headers as never), () => this.pass(this.inner.onHeaders, status, headers, resume, statusMessage))
  }

  onData(chunk: Uint8Array): boolean | void {
    this.data(chunk)
    return this.pass(this.inner.onData, chunk)
  }

  onComplete(trailers: unknown): void {
    this.end(toHeaderPairs(trailers as never))
    this.pass(this.inner.onComplete, trailers)
  }

  onError(error: unknown): void {
    this.fail(error)
    this.pass(this.inner.onError, error)
  }
}
