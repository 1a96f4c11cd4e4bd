import type { Undecoded } from '../../trace/rows.ts'
import type { AnswerSink, AnsweredExchange } from '../../run/active-run.ts'
import type { HeaderPairs } from '../../trace/http-facts.ts'
import { ArrivingBody } from './arriving-body.ts'
import type { AnswerHead } from '../../http/answer-head.ts'
import { answerEncoding, hasBody } from '../../http/codings.ts'
import { decodedHeaders, EncodedAnswer } from '../../http/encoded-answer.ts'
import { watchHeaders } from '../../http/left-out-reads.ts'
import { statusTextOf } from '../../http/status-text.ts'
import { isInformational } from '../../trace/http-head.ts'
import type { FetchCall } from './fetch-call.ts'
import { decodesZstd, fetchCoding } from './fetch-coding.ts'
import { createFetchedResponse } from './fetched-response.ts'
import type { ReadBody } from './piecewise-body.ts'

/** The parts of a call that affect its answer. */
export interface Answered extends Pick<FetchCall, 'url' | 'method' | 'signal'> {
  /** How many redirects led to it. */
  readonly hops: number
}

/**
 * The answer to one fetch: a promise of a Response whose body delivers the sink's data, piece by piece.
 *
 * @note Everything is released on settling. V8 may allocate objects next to long-lived ones (a replay's calls) in the old generation;
 * everything they hold would wait for a full collection, which cost a third of a replayed step.
 */
export class FetchAnswer implements AnswerSink {
  /** The exchange to stop when the agent stops reading or aborts. */
  exchange: AnsweredExchange | undefined
  readonly #call: Answered
  #resolve: ((response: Response) => void) | undefined
  #refuse: ((reason: unknown) => void) | undefined
  #signal: AbortSignal | undefined
  #body: ArrivingBody | undefined
  /** Set if this Node's fetch returns the body encoded. */
  #encoded: EncodedAnswer | undefined
  #state: 'waiting' | 'streaming' | 'settled' = 'waiting'

  readonly #reading: ReadBody | undefined
  readonly cutBody?: () => void

  /**
   * @param resolve Settles the promise of the Response, as does `reject`.
   * @param reading Reads the request's body, if it comes piece by piece.
   */
  constructor(call: Answered, resolve: (response: Response) => void, reject: (reason: unknown) => void, reading?: ReadBody) {
    this.#reading = reading
    if (reading !== undefined) this.cutBody = reading.cut
    this.#call = call
    this.#resolve = resolve
    this.#refuse = reject
  }

  head(head: AnswerHead): void {
    // A fetch drops informational responses.
    if (this.#state !== 'waiting' || isInformational(head.status)) return
    this.#state = 'streaming'
    this.#body = new ArrivingBody(() => this.#stop())
    const { status, headers } = head
    const encoding = answerEncoding(this.#call.method, status, headers)
    if (isLeftEncoded(encoding, headers)) this.#encoded = new EncodedAnswer(this.#call.method, head)
    this.#answer(head, this.#encoded?.headers ?? decodedHeaders(this.#call.method, head), this.#body.stream)
  }

  /** Delivers a whole answer that arrived at once, without a stream. */
  whole(head: AnswerHead, body: string | Uint8Array): void {
    if (this.#state !== 'waiting') return
    const { status, headers } = head
    const encoding = answerEncoding(this.#call.method, status, headers)
    if (isLeftEncoded(encoding, headers)) {
      this.head(head)
      this.data(typeof body === 'string' ? new TextEncoder().encode(body) : body)
      return this.end()
    }
    this.#answer(head, decodedHeaders(this.#call.method, head), body as BodyInit)
    this.#settle()
  }

  data(bytes: Uint8Array, encoded?: Undecoded): void {
    if (this.#encoded !== undefined) this.#enqueue(this.#encoded.piece(bytes, encoded))
    // Recorded by a client that did not decode the body. A fetch fails on what it cannot decode, and treats a truncated body as complete.
    else if (encoded !== undefined && bytes.length > 0) this.fail(new Error('incorrect header check'))
    else this.#enqueue(bytes)
  }

  end(): void {
    if (this.#encoded !== undefined) this.#enqueue(this.#encoded.end())
    this.#body?.close()
    if (this.#signal !== undefined) this.#body?.follow(this.#signal)
    this.#settle()
  }

  fail(error: unknown): void {
    // Node's fetch reports lower-level failures like this, before and after the head.
    this.#reject(
      isPassedThrough(error) ? error : new TypeError(this.#state === 'waiting' ? 'fetch failed' : 'terminated', { cause: error }),
    )
    this.#settle()
  }

  /** Aborts with the signal of the call. */
  follow(signal: AbortSignal): void {
    if (this.#state === 'settled') return
    this.#signal = signal
    signal.addEventListener('abort', this.#onAbort)
  }

  readonly #onAbort = (): void => {
    this.#reject(this.#signal?.reason)
    this.#stop()
  }

  #reject(reason: unknown): void {
    if (this.#state === 'waiting') this.#refuse?.(reason)
    else this.#body?.fail(reason)
  }

  #stop(): void {
    const { exchange } = this
    this.#reading?.stop()
    this.#settle()
    exchange?.stop()
  }

  #answer(head: AnswerHead, headers: HeaderPairs, body: BodyInit): void {
    const { method, hops, signal } = this.#call
    const { status, url } = head
    const fetched = { url: url ?? this.#call.url, redirected: hops > 0 || url !== undefined, signal }
    const init = { status, statusText: statusTextOf(head), headers: headers as [string, string][] }
    const response = createFetchedResponse(hasBody(method, status) ? body : null, init, fetched)
    watchHeaders(response.headers, head)
    this.#resolve?.(response)
  }

  #enqueue(bytes: Uint8Array): void {
    if (bytes.length > 0) this.#body?.add(bytes)
  }

  #settle(): void {
    this.#state = 'settled'
    this.#signal?.removeEventListener('abort', this.#onAbort)
    this.#signal = this.#resolve = this.#refuse = this.#body = this.exchange = undefined
  }
}

/** Returns whether this Node's fetch does not decode this encoding. */
function isLeftEncoded(encoding: string | undefined, headers: HeaderPairs): boolean {
  return encoding !== undefined && fetchCoding(headers, decodesZstd) === undefined
}

/** Returns whether a fetch rejects with the error unchanged: its own, recorded at the fetch itself, or a refusal. */
function isPassedThrough(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof Error && 'code' in error && String(error.code).startsWith('GOLDENRUN_'))
}
