import { STATUS_CODES } from 'node:http'
import type { AnswerSink } from '../../run/active-run.ts'
import type { HeaderPairs } from '../../trace/rows.ts'
import { answerEncoding } from './codings.ts'
import { EncodedAnswer } from './encoded-answer.ts'
import type { FetchCall } from './fetch-call.ts'
import { decodesZstd, fetchCoding } from './fetch-coding.ts'
import { decodedHeaders, framedHeaders } from './headers.ts'

/** What of a call shows in its answer. */
export interface Answered extends Pick<FetchCall, 'url' | 'method'> {
  /** How many redirects led to it. */
  readonly hops: number
}

/** The answer to one fetch: a promise of a Response whose body delivers what the sink is given, piece by piece. */
export class FetchAnswer implements AnswerSink {
  readonly response: Promise<Response>
  onSettled: (() => void) | undefined
  /** Called when the agent stops reading or aborts. */
  onStop: (() => void) | undefined
  readonly #call: Answered
  #resolve!: (response: Response) => void
  #reject!: (error: unknown) => void
  #body: ReadableStreamDefaultController<Uint8Array> | undefined
  /** Set where this Node's fetch hands out a body encoded as it came. */
  #encoded: EncodedAnswer | undefined
  #state: 'waiting' | 'streaming' | 'settled' = 'waiting'

  constructor(call: Answered) {
    this.#call = call
    this.response = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  head(status: number, headers: HeaderPairs, url?: string): void {
    if (this.#state !== 'waiting') return
    this.#state = 'streaming'
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#body = controller
        },
        cancel: () => {
          this.#settle()
          this.onStop?.()
        },
      },
      { highWaterMark: 0 },
    )
    this.#answer(status, headers, body, url)
  }

  /** A whole answer that arrived at once: no stream is needed to hand it out. */
  whole(status: number, headers: HeaderPairs, body: string | Uint8Array, url?: string): void {
    if (this.#state !== 'waiting') return
    if (this.#leavesEncoded(status, headers)) {
      this.head(status, headers, url)
      this.data(typeof body === 'string' ? new TextEncoder().encode(body) : body)
      return this.end()
    }
    this.#settle()
    this.#answer(status, headers, body as BodyInit, url)
  }

  data(bytes: Uint8Array, isEncoded = false): void {
    if (this.#encoded !== undefined) this.#enqueue(this.#encoded.piece(bytes, isEncoded))
    // Recorded by a client that left the body encoded; a fetch runs into what it could not decode.
    else if (isEncoded) this.fail(new Error('incorrect header check'))
    else this.#enqueue(bytes)
  }

  end(): void {
    if (this.#encoded !== undefined) this.#enqueue(this.#encoded.end())
    this.#close()
  }

  fail(error: unknown): void {
    const { state, body } = { state: this.#state, body: this.#body }
    this.#settle()
    // As Node's fetch reports what went wrong below it: before the head, and after.
    if (state === 'waiting') this.#reject(isPassedThrough(error) ? error : new TypeError('fetch failed', { cause: error }))
    else if (state === 'streaming') body?.error(isPassedThrough(error) ? error : new TypeError('terminated', { cause: error }))
  }

  abort(reason: unknown): void {
    const { state, body } = { state: this.#state, body: this.#body }
    if (state === 'settled') return
    this.#settle()
    this.onStop?.()
    if (state === 'waiting') this.#reject(reason)
    else body?.error(reason)
  }

  #answer(status: number, headers: HeaderPairs, body: BodyInit, url: string | undefined): void {
    const { method, hops } = this.#call
    const isBodyless = method === 'HEAD' || status === 101 || status === 204 || status === 205 || status === 304
    const statusText = STATUS_CODES[status] ?? ''
    const encoding = answerEncoding(method, status, headers)
    if (this.#leavesEncoded(status, headers)) this.#encoded = new EncodedAnswer(method, status, headers)
    const shown = this.#encoded?.headers ?? (encoding === undefined ? framedHeaders(headers) : decodedHeaders(headers))
    const response = new Response(isBodyless ? null : body, { status, statusText, headers: shown })
    this.#resolve(asFetched(response, url ?? this.#call.url, hops > 0 || url !== undefined))
  }

  #leavesEncoded(status: number, headers: HeaderPairs): boolean {
    const encoding = answerEncoding(this.#call.method, status, headers)
    return encoding !== undefined && fetchCoding(headers, decodesZstd) === undefined
  }

  #enqueue(bytes: Uint8Array): void {
    if (this.#state === 'streaming' && bytes.length > 0) this.#body?.enqueue(bytes)
  }

  #close(): void {
    if (this.#state === 'streaming') this.#body?.close()
    this.#settle()
  }

  #settle(): void {
    this.#state = 'settled'
    this.onSettled?.()
  }
}

/** Says of a response, and of its clones, what only a fetch can. */
function asFetched(response: Response, url: string, redirected: boolean): Response {
  const clone = (): Response => asFetched(Response.prototype.clone.call(response), url, redirected)
  return Object.defineProperties(response, {
    url: { value: url, configurable: true },
    redirected: { value: redirected, configurable: true },
    type: { value: 'basic', configurable: true },
    clone: { value: clone, configurable: true, writable: true },
  })
}

/** Errors that a fetch rejects with as they are: its own, recorded at the fetch itself, and a refusal. */
function isPassedThrough(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof Error && 'code' in error && String(error.code).startsWith('GOLDENRUN_'))
}
