import { inflated, MessageFrames } from './message-frames.ts'
import { type ReadMessage, readMessage } from './read-message.ts'
import { CallMessages, type SentWatcher } from './call-messages.ts'

/**
 * What an agent sends in a call over HTTP/2, which does not say whether the call has one message or a stream of them: it is a stream from its second
 * message on, or from the server's first one.
 */
export class SentFrames extends CallMessages {
  readonly #encoding: string | undefined
  readonly #frames = new MessageFrames()
  #hasEnded = false

  /** @param encoding How its messages are compressed, where they are. */
  constructor(watcher: SentWatcher, encoding: string | undefined) {
    super(watcher)
    this.#encoding = encoding
  }

  /** Throws for what is no message. */
  add(bytes: Uint8Array): void {
    for (const frame of this.#frames.add(bytes)) {
      const message = toMessage(inflated(frame, this.#encoding))
      if (this.isOpen) this.streams()
      this.sends(message, true)
    }
  }

  override ends(): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    super.ends()
  }
}

/** A message that cannot be decompressed is bytes. */
export function toMessage({ isCompressed, content }: ReturnType<typeof inflated>): ReadMessage {
  return isCompressed ? { $compressed: content.toString('latin1') } : readMessage(content)
}
