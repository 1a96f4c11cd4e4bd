/**
 * The parts of undici's dispatcher interface that a door uses, in both generations: Node 22 drives a dispatcher with `onConnect` and
 * similar, undici 7 and later with `onRequestStart`. Source: undici docs/api/Dispatcher.md.
 */
export interface DispatchOptions {
  readonly origin?: string | URL
  readonly path: string
  readonly query?: Readonly<Record<string, unknown>>
  readonly method: string
  readonly headers?: unknown
  readonly body?: unknown
  readonly upgrade?: unknown
}

/** An object that dispatches requests. */
export interface Dispatcher {
  dispatch(options: DispatchOptions, handler: DispatchHandler): boolean
}

/** What undici passes to a handler of the newer generation. */
export interface DispatchController {
  readonly aborted: boolean
  readonly reason: unknown
  readonly paused: boolean
  /** A flat list of names and values, as received; so are the trailers. */
  rawHeaders?: unknown
  rawTrailers?: unknown
  abort(reason: unknown): void
  pause(): void
  resume(): void
}

/** A handler of either generation: the older one has the first group of methods, the newer one the second. */
export interface DispatchHandler {
  onRequestStart?(controller: DispatchController, context: unknown): void
  onRequestUpgrade?(controller: DispatchController, status: number, headers: unknown, socket: unknown): void
  onResponseStart?(controller: DispatchController, status: number, headers: Record<string, string | string[]>, statusMessage?: string): void
  onResponseData?(controller: DispatchController, chunk: Uint8Array): void
  onResponseEnd?(controller: DispatchController, trailers: unknown): void
  onResponseError?(controller: DispatchController, error: unknown): void

  onConnect?(abort: (reason?: unknown) => void, context: unknown): void
  onUpgrade?(status: number, headers: unknown, socket: unknown): void
  onHeaders?(status: number, headers: unknown, resume: () => void, statusMessage?: string): boolean | void
  onData?(chunk: Uint8Array): boolean | void
  onComplete?(trailers: unknown): void
  onError?(error: unknown): void

  onBodySent?(...args: unknown[]): void
  onRequestSent?(...args: unknown[]): void
  onResponseStarted?(...args: unknown[]): void
}

/** Returns whether a handler is of the newer generation. */
export function isControllerHandler(handler: DispatchHandler): boolean {
  return typeof handler.onRequestStart === 'function'
}

/** Returns the handler, of either generation, with `onCall` notified before each of its calls. */
export function watchHandler(handler: DispatchHandler, onCall: (name: string | symbol, args: readonly unknown[]) => void): DispatchHandler {
  return new Proxy(handler, {
    get(target, key) {
      const method: unknown = Reflect.get(target, key, target)
      if (typeof method !== 'function') return method
      return (...args: unknown[]): unknown => {
        onCall(key, args)
        return Reflect.apply(method, target, args)
      }
    },
  })
}
