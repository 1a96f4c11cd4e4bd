import type { HeaderPairs } from '../trace/rows.ts'
import { answerEncoding } from './codings.ts'
import { type ContentEncoder, createContentEncoder } from './content-encoder.ts'
import { framedHeaders } from './headers.ts'

/** Encodes an answer with a decoded body as its `content-encoding` promises. */
export class EncodedAnswer {
  /** The headers for new framing, without the length of a different encoding. */
  readonly headers: [string, string][]
  readonly #encoder: ContentEncoder | undefined
  #hasBody = false

  constructor(method: string, status: number, headers: HeaderPairs) {
    this.#encoder = createContentEncoder(answerEncoding(method, status, headers))
    const framed = framedHeaders(headers)
    this.headers = this.#encoder === undefined ? framed : framed.filter(([name]) => name !== 'content-length')
  }

  /** @param isEncoded Whether the bytes are as received, see `AnswerSink`. */
  piece(bytes: Uint8Array, isEncoded = false): Uint8Array {
    if (this.#encoder === undefined) return bytes
    if (isEncoded) return this.#asItCame(this.#encoder, bytes)
    this.#hasBody = true
    return this.#encoder.piece(bytes)
  }

  /** After such bytes, the body no longer ends as its coding requires. */
  #asItCame(encoder: ContentEncoder, bytes: Uint8Array): Uint8Array {
    const fault = this.#hasBody && bytes.length > 0 ? encoder.fault() : new Uint8Array()
    this.#hasBody = false
    return Buffer.concat([fault, bytes])
  }

  /** Returns the bytes that end the body; none if there is no body. */
  end(): Uint8Array {
    if (!this.#hasBody || this.#encoder === undefined) return new Uint8Array()
    this.#hasBody = false
    return this.#encoder.end()
  }
}
