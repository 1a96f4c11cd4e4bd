import type { ReadMessage } from './read-message.ts'

/** Told of what an agent sends in a call of gRPC. */
export interface SentWatcher {
  /** The call begins, with its one message. A stream has none. */
  opens(message?: ReadMessage): void
  /** A stream goes on. */
  sends(message: ReadMessage): void
  /** A stream ends. */
  ends(): void
}

/** Tells a call with one message from a stream. The call with one message begins with it, and its end is no step. */
export class CallMessages {
  readonly #watcher: SentWatcher
  #state: 'new' | 'single' | 'stream' = 'new'

  constructor(watcher: SentWatcher) {
    this.#watcher = watcher
  }

  /** Whether the call has begun. */
  get isOpen(): boolean {
    return this.#state !== 'new'
  }

  /** It is known to be a call: what follows must have one. One that has sent nothing is a stream. */
  open(): void {
    if (!this.isOpen) this.#open('stream')
  }

  /** The one message of a call is sent as soon as the call has started: a call of which nothing was sent by the next microtask is a stream. */
  openSoon(): void {
    queueMicrotask(() => this.open())
  }

  /** It is known to be a stream. */
  streams(): void {
    this.#state = 'stream'
  }

  /** @param mayBeOnly Whether it may be the one message of its call. A client that is told when the next one may be sent has a stream. */
  sends(message: ReadMessage, mayBeOnly: boolean): void {
    if (mayBeOnly && !this.isOpen) return this.#open('single', message)
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
