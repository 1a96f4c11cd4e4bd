import type { SendContext } from './grpc-call.ts'
import { type ReadMessage, readMessage } from './read-message.ts'

/** Told of what an agent sends in a call of gRPC. */
export interface SentWatcher {
  /** The call begins, with its one message. A stream has none. */
  opens(message?: ReadMessage): void
  /** A stream goes on. */
  sends(message: ReadMessage): void
  /** A stream ends. */
  ends(): void
}

/**
 * Tells a call with one message from a stream: only a stream is told when the next message may be sent. The one message of a call is sent as soon as the
 * call has started, so a call of which nothing was sent by the next microtask is a stream.
 */
export class SentMessages {
  readonly #watcher: SentWatcher
  #state: 'new' | 'single' | 'stream' = 'new'

  constructor(watcher: SentWatcher) {
    this.#watcher = watcher
    queueMicrotask(() => this.open())
  }

  /** It is known to be a call: what follows must have one. */
  open(): void {
    if (this.#state === 'new') this.#open('stream')
  }

  sends(context: SendContext, bytes: Uint8Array): void {
    const message = readMessage(bytes)
    if (this.#state === 'new' && context.callback === undefined) return this.#open('single', message)
    this.open()
    this.#watcher.sends(message)
  }

  ends(): void {
    this.open()
    if (this.#state === 'stream') this.#watcher.ends()
  }

  #open(state: 'single' | 'stream', message?: ReadMessage): void {
    this.#state = state
    this.#watcher.opens(message)
  }
}
