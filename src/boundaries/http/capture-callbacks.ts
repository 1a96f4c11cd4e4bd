import type { DecoderEvents } from './content-decoder.ts'
import { CaptureHandler } from './capture-handler.ts'
import { toHeaderPairs } from './headers.ts'
import type { DispatchHandler } from './undici-types.ts'
import { withoutRawEncoding } from './without-encoding.ts'

/** Captures for a handler of the older generation: `onConnect` and its kin. */
export class CaptureCallbacks extends CaptureHandler implements DispatchHandler {
  #resume: () => void = () => undefined

  protected decoded(): DecoderEvents {
    return {
      data: (bytes) => {
        this.data(bytes)
        if (this.pass(this.inner.onData, bytes) === false) this.decoder?.pause()
      },
      end: () => {
        this.end([])
        this.pass(this.inner.onComplete, [])
      },
      drain: () => this.#resume(),
      fail: (error) => this.onError(error),
    }
  }

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
    this.#resume = resume
    const isDecoded = this.head(status, toHeaderPairs(headers as never))
    if (!isDecoded) return this.pass(this.inner.onHeaders, status, headers, resume, statusMessage)
    return this.pass(this.inner.onHeaders, status, withoutRawEncoding(headers), () => this.resumeDecoded(resume), statusMessage)
  }

  onData(chunk: Uint8Array): boolean | void {
    if (this.decoder !== undefined) return this.decoder.write(chunk)
    this.data(chunk)
    return this.pass(this.inner.onData, chunk)
  }

  onComplete(trailers: unknown): void {
    if (this.decoder !== undefined) return this.decoder.finish()
    this.end(toHeaderPairs(trailers as never))
    this.pass(this.inner.onComplete, trailers)
  }

  onError(error: unknown): void {
    this.fail(error)
    this.pass(this.inner.onError, error)
  }
}
