import type { ReadMessage } from './read-message.ts'

/** Distinguishes a call with one message from a stream. A call with one message begins with that message, and its end is not a step. */
export class CallMessages {
  readonly #opens: (message?: ReadMessage) => void
  readonly #does: (what: 'send' | 'end', input: unknown) => void
  #state: 'new' | 'single' | 'stream' = 'new'

  /**
   * @param opens The call begins, with its single message. A stream begins without one.
   * @param does A stream sends a message, or ends.
   */
  constructor(opens: (message?: ReadMessage) => void, does: (what: 'send' | 'end', input: unknown) => void) {
    this.#opens = opens
    this.#does = does
  }

  /** Whether the call has begun. */
  get isOpen(): boolean {
    return this.#state !== 'new'
  }

  /** The call begins now at the latest, because something else happens. If it has sent nothing, it is a stream. */
  open(): void {
    if (!this.isOpen) this.#open('stream')
  }

  /** A call's single message is sent as soon as the call starts. If nothing is sent by the next microtask, the call is a stream. */
  openSoon(): void {
    queueMicrotask(() => this.open())
  }

  /** Marks the call as a stream. */
  streams(): void {
    this.#state = 'stream'
  }

  /** @param mayBeOnly Whether this may be the call's single message. A client that is notified when it may send the next one has a stream. */
  sends(message: ReadMessage, mayBeOnly: boolean): void {
    if (mayBeOnly && !this.isOpen) return this.#open('single', message)
    this.open()
    this.#does('send', message)
  }

  ends(): void {
    this.open()
    if (this.#state === 'stream') this.#does('end', [])
  }

  #open(state: 'single' | 'stream', message?: ReadMessage): void {
    this.#state = state
    this.#opens(message)
  }
}
