import { inflated, MessageFrames } from './message-frames.ts'
import { type ReadMessage, readMessage } from './read-message.ts'
import { CallMessages } from './call-messages.ts'

/**
 * An agent's messages in a call over HTTP/2, which does not say whether the call has one message or a stream: it is a stream from its second
 * message on, or from the server's first one.
 */
export class SentFrames extends CallMessages {
  readonly #encoding: string | undefined
  readonly #frames = new MessageFrames()
  #hasEnded = false

  /** @param encoding The compression of the messages, if any. */
  constructor(encoding: string | undefined, ...told: ConstructorParameters<typeof CallMessages>) {
    super(...told)
    this.#encoding = encoding
  }

  /** Adds bytes. Throws if they are not messages. */
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

/** A message that cannot be decompressed is kept as bytes. */
export function toMessage({ isCompressed, content }: ReturnType<typeof inflated>): ReadMessage {
  return isCompressed ? { $compressed: content.toString('latin1') } : readMessage(content)
}
