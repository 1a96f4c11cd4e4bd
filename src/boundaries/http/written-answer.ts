import type { Undecoded } from '../../trace/rows.ts'
import type { Duplex } from 'node:stream'
import type { AnswerHead } from '../../http/answer-head.ts'
import { EncodedAnswer } from '../../http/encoded-answer.ts'
import { headerValue } from '../../http/headers.ts'
import { statusTextOf } from '../../http/status-text.ts'
import { isInformational } from '../../trace/http-head.ts'
import type { HeaderPairs } from '../../trace/http-facts.ts'

/**
 * Writes an answer to a connection, byte by byte as a server would: with the names, the order and the repetition of its headers, its reason phrase
 * and its framing, all of which Node's own server decides itself. Source: RFC 9112.
 */
export class WrittenAnswer {
  readonly #socket: Duplex
  readonly #method: string
  readonly #keepsAlive: boolean
  #body: EncodedAnswer | undefined
  #framing: Framing = 'none'
  #closes = false

  /** @param keepsAlive Whether the client wants to keep the connection. */
  constructor(socket: Duplex, method: string, keepsAlive: boolean) {
    this.#socket = socket
    this.#method = method
    this.#keepsAlive = keepsAlive
  }

  get hasHead(): boolean {
    return this.#body !== undefined
  }

  head(head: AnswerHead): void {
    if (isInformational(head.status)) return this.#writeHead(head, head.headers)
    this.#body = new EncodedAnswer(this.#method, head)
    const hasBody = this.#method !== 'HEAD' && head.status >= 200 && head.status !== 204 && head.status !== 304
    const headers = head.isReceived === true ? this.#body.headers : this.#framed(this.#body.headers, hasBody)
    this.#framing = hasBody ? framingOf(headers) : 'none'
    this.#closes = this.#framing === 'until-close' || /\bclose\b/i.test(headerValue(headers, 'connection') ?? '')
    this.#writeHead(head, headers)
  }

  data(bytes: Uint8Array, encoded?: Undecoded): void {
    this.#writeBody(this.#body?.piece(bytes, encoded) ?? bytes)
  }

  end(trailers: HeaderPairs): void {
    this.#writeBody(this.#body?.end() ?? new Uint8Array())
    if (this.#framing === 'chunked') this.#write(`0\r\n${linesOf(trailers)}\r\n`)
    if (this.#closes) this.#socket.end()
  }

  /** Adds the headers that Node's server adds to those of a program. */
  #framed(headers: HeaderPairs, hasBody: boolean): HeaderPairs {
    const connection = ['Connection', this.#keepsAlive ? 'keep-alive' : 'close'] as const
    const isMeasured = !hasBody || headerValue(headers, 'content-length') !== undefined
    return isMeasured ? [...headers, connection] : [...headers, connection, ['Transfer-Encoding', 'chunked']]
  }

  #writeHead(head: AnswerHead, headers: HeaderPairs): void {
    this.#write(`HTTP/${head.version ?? '1.1'} ${head.status} ${statusTextOf(head)}\r\n${linesOf(headers)}\r\n`)
  }

  #writeBody(bytes: Uint8Array): void {
    if (bytes.length === 0 || this.#framing === 'none') return
    if (this.#framing !== 'chunked') return void this.#socket.write(bytes)
    this.#socket.write(Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]))
  }

  #write(text: string): void {
    this.#socket.write(Buffer.from(text, 'latin1'))
  }
}

/** How a client finds the end of a body. */
type Framing = 'none' | 'chunked' | 'length' | 'until-close'

function framingOf(headers: HeaderPairs): Framing {
  if (/\bchunked\b/i.test(headerValue(headers, 'transfer-encoding') ?? '')) return 'chunked'
  return headerValue(headers, 'content-length') === undefined ? 'until-close' : 'length'
}

function linesOf(headers: HeaderPairs): string {
  return headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
}
