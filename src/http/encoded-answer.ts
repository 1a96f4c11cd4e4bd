import type { HeaderPairs } from '../trace/http-facts.ts'
import type { Undecoded } from '../trace/rows.ts'
import type { AnswerHead, KnownBody } from './answer-head.ts'
import { answerEncoding, hasBody } from './codings.ts'
import { type ContentEncoder, createContentEncoder } from './content-encoder.ts'
import { headerValue, isNamed } from './headers.ts'
import { framedHeaders } from './received-headers.ts'

/** Encodes an answer with a decoded body as its `content-encoding` promises. */
export class EncodedAnswer {
  /** The headers, with the length of the body that is given. */
  readonly headers: HeaderPairs
  readonly #encoder: ContentEncoder | undefined
  #hasBody = false

  constructor(method: string, head: AnswerHead) {
    this.#encoder = createContentEncoder(answerEncoding(method, head.status, head.headers))
    this.headers = withGivenLength(method, head)
  }

  /** @param encoded Whether the bytes are as received, see `AnswerSink`. */
  piece(bytes: Uint8Array, encoded?: Undecoded): Uint8Array {
    if (this.#encoder === undefined) return bytes
    if (encoded !== undefined) return this.#asItCame(this.#encoder, bytes, encoded)
    this.#hasBody = true
    return this.#encoder.piece(bytes)
  }

  /** After such bytes, the body no longer ends as its coding requires. */
  #asItCame(encoder: ContentEncoder, bytes: Uint8Array, encoded: Undecoded): Uint8Array {
    const isFault = this.#hasBody && bytes.length > 0
    this.#hasBody = false
    if (!isFault) return bytes
    // How a decoder refuses bytes may depend on what follows them.
    return encoded === true ? Buffer.concat([encoder.fault(), bytes]) : encoder.fault(encoded)
  }

  /** Returns the bytes that end the body; none if there is no body. */
  end(): Uint8Array {
    if (!this.#hasBody || this.#encoder === undefined) return new Uint8Array()
    this.#hasBody = false
    return this.#encoder.end()
  }
}

/** Returns the body of an answer as a client gets it that decodes it itself. */
export function givenBody(method: string, { status, headers }: AnswerHead, { pieces, isWhole }: KnownBody): Buffer {
  const answer = new EncodedAnswer(method, { status, headers: headers.filter((pair) => !isNamed(pair, 'content-length')) })
  const given = pieces.map(({ bytes, encoded }) => answer.piece(Buffer.from(bytes as Uint8Array), encoded))
  return Buffer.concat(isWhole ? [...given, answer.end()] : given)
}

/** Returns the headers of an answer as a client gets them, with the length of the body that is given. */
function withGivenLength(method: string, head: AnswerHead): HeaderPairs {
  const isEncoded = answerEncoding(method, head.status, head.headers) !== undefined
  return withLength(method, head, (known) => (isEncoded ? givenBody(method, head, known).length : lengthOf(known)), isEncoded)
}

/** Returns the headers of an answer whose body its client gets decoded. A length is as received if it is that of an encoded body. */
export function decodedHeaders(method: string, head: AnswerHead): HeaderPairs {
  return answerEncoding(method, head.status, head.headers) === undefined ? withLength(method, head, lengthOf) : givenHeaders(head)
}

/** Returns headers whose length, if they have one, is that of the body. A body that was cut off is shorter than its length. */
function withLength(method: string, head: AnswerHead, lengthOfBody: (body: KnownBody) => number, isEncoded = false): HeaderPairs {
  const headers = givenHeaders(head)
  const received = headerValue(headers, 'content-length')
  if (received === undefined || !hasBody(method, head.status)) return headers
  const known = head.body?.()
  if (known === undefined) return isEncoded ? headers.filter((pair) => !isNamed(pair, 'content-length')) : headers
  const given = lengthOfBody(known)
  const length = String(known.isWhole ? given : Math.max(given + 1, Number(received)))
  return length === received ? headers : headers.map((pair) => (isNamed(pair, 'content-length') ? [pair[0], length] : pair))
}

/** Returns the headers of an answer as its client gets them, before the length of its body is set. */
function givenHeaders({ headers, isReceived }: AnswerHead): HeaderPairs {
  return isReceived === true ? headers : framedHeaders(headers)
}

function lengthOf({ pieces }: KnownBody): number {
  return pieces.reduce((length, { bytes }) => length + Buffer.byteLength(bytes as Uint8Array), 0)
}
