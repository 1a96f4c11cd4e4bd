import { inflated, MessageFrames } from './message-frames.ts'
import { type ReadMessage, readMessage } from './read-message.ts'
import type { SentWatcher } from './sent-messages.ts'

/**
 * What an agent sends in a call over HTTP/2, which does not say whether the call has one message or a stream of them. The call begins with its first
 * message, or without one where the server speaks first. The end of a call with one message, of which the server has not yet sent any, is no step.
 */
export class SentFrames {
  readonly #watcher: SentWatcher
  readonly #encoding: string | undefined
  readonly #frames = new MessageFrames()
  #state: 'new' | 'single' | 'stream' = 'new'
  #hasEnded = false

  /** @param encoding How its messages are compressed, where they are. */
  constructor(watcher: SentWatcher, encoding: string | undefined) {
    this.#watcher = watcher
    this.#encoding = encoding
  }

  /** Whether the call has begun. */
  get isOpen(): boolean {
    return this.#state !== 'new'
  }

  /** The server speaks, or nothing else happens. */
  open(): void {
    if (!this.isOpen) this.#open('stream')
  }

  /** Throws for what is no message. */
  add(bytes: Uint8Array): void {
    for (const frame of this.#frames.add(bytes)) this.#sends(toMessage(inflated(frame, this.#encoding)))
  }

  /** The server has sent a message. */
  hears(): void {
    this.#state = 'stream'
  }

  end(): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.open()
    if (this.#state === 'stream') this.#watcher.ends()
  }

  #sends(message: ReadMessage): void {
    if (!this.isOpen) return this.#open('single', message)
    this.#state = 'stream'
    this.#watcher.sends(message)
  }

  #open(state: 'single' | 'stream', message?: ReadMessage): void {
    this.#state = state
    this.#watcher.opens(message)
  }
}

/** A message that cannot be decompressed is bytes. */
export function toMessage({ isCompressed, content }: ReturnType<typeof inflated>): ReadMessage {
  return isCompressed ? { $compressed: content.toString('latin1') } : readMessage(content)
}
