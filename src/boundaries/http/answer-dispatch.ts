import type { Undecoded } from '../../trace/rows.ts'
import { PassThrough } from 'node:stream'
import type { AnswerSink, RequestBody } from '../../run/active-run.ts'
import { type AnsweredScope, runBelow, runInScope, runOutside, type Scope } from '../../run/scope.ts'
import type { HeaderPairs } from '../../trace/http-facts.ts'
import type { AnswerHead } from '../../http/answer-head.ts'
import { dispatchHeaders, dispatchUrl, isFetchDispatch, isIterableBody, isReadyBody } from './dispatch-request.ts'
import { decodedHeaders, EncodedAnswer } from '../../http/encoded-answer.ts'
import { fetchCoding, handlerDecodesZstd } from './fetch-coding.ts'
import { withoutFetchDefaults } from '../../http/request-headers.ts'
import { watchRecord } from '../../http/left-out-reads.ts'
import { recordOfReceived } from '../../http/received-headers.ts'
import { statusTextOf } from '../../http/status-text.ts'
import { type ReadBody, readPieces } from './piecewise-body.ts'
import { isFormBody, readFormBody } from '../../http/form-body.ts'
import { type DispatchController, type DispatchHandler, type DispatchOptions, isControllerHandler } from './undici-types.ts'

/** Answers a dispatch from the trace: sends nothing, and calls the handler as undici does. */
export function answerDispatch(scope: AnsweredScope, options: DispatchOptions, handler: DispatchHandler): boolean {
  const url = dispatchUrl(options)
  const request = readRequest(scope, url, options)
  const isFetch = isFetchDispatch(request.headers)
  const inScope = (callback: () => void): void => (isFetch ? runBelow(scope, decoded, callback) : runInScope(scope, callback))
  const answer = new AnswerController(options.method, handler, inScope, isFetch, request.reading?.cut)
  const start = {
    owner: scope.owner,
    method: options.method,
    url,
    headers: () => (isFetch ? withoutFetchDefaults(request.headers) : request.headers),
  }
  const exchange = scope.run.answerExchange(start, request.body, answer)
  answer.onAbort = () => {
    request.reading?.stop()
    exchange.stop()
  }
  answer.start()
  return true
}

/** A fetch gets a decoded body synchronously, because the thread pool that would decode it settles in any order. */
const decoded = { decoder: () => new PassThrough() }

/** Calls the handler of a dispatch as undici does. */
export class AnswerController implements DispatchController, AnswerSink {
  onAbort: (() => void) | undefined
  aborted = false
  reason: unknown = null
  paused = false
  /** Undici's own fetch reads the raw headers; its other clients read the parsed ones. */
  rawHeaders: Buffer[] = []
  rawTrailers: Buffer[] = []
  readonly #handler: DispatchHandler
  readonly #modern: boolean
  readonly #inScope: (callback: () => void) => void
  readonly #isFetch: boolean
  #held: (() => void)[] = []
  #ended = false
  readonly #method: string
  #body: EncodedAnswer | undefined
  readonly cutBody?: () => void

  /** @param cutBody Cuts the request's body to what was sent. */
  constructor(method: string, handler: DispatchHandler, inScope: (callback: () => void) => void, isFetch: boolean, cutBody?: () => void) {
    if (cutBody !== undefined) this.cutBody = cutBody
    this.#isFetch = isFetch
    this.#method = method
    this.#handler = handler
    this.#modern = isControllerHandler(handler)
    this.#inScope = inScope
  }

  start(): void {
    if (this.#modern) this.#handler.onRequestStart?.(this, {})
    else this.#handler.onConnect?.((reason) => this.abort(reason), {})
  }

  /** The connection switches to another protocol. */
  upgrade(status: number, headers: HeaderPairs, socket: unknown): void {
    if (this.aborted) return
    this.#ended = true
    this.rawHeaders = rawOf(headers)
    this.#call(() => {
      if (this.#modern) this.#handler.onRequestUpgrade?.(this, status, recordOfReceived(headers), socket)
      else this.#handler.onUpgrade?.(status, this.rawHeaders, socket)
    })
  }

  head(head: AnswerHead): void {
    const { status, headers } = head
    const decodes = this.#isFetch && fetchCoding(headers, handlerDecodesZstd(this.#handler)) !== undefined
    this.#body = decodes ? undefined : new EncodedAnswer(this.#method, head)
    const pairs = this.#body?.headers ?? decodedHeaders(this.#method, head)
    const statusText = statusTextOf(head)
    this.#deliver(() => {
      this.rawHeaders = rawOf(pairs)
      const record = recordOfReceived(pairs)
      watchRecord(record, head)
      if (this.#modern) this.#handler.onResponseStart?.(this, status, record, statusText)
      else this.#handler.onHeaders?.(status, this.rawHeaders, () => this.resume(), statusText)
    })
  }

  data(bytes: Uint8Array, encoded?: Undecoded): void {
    if (this.#body !== undefined) this.#data(this.#body.piece(bytes, encoded))
    // Recorded by a client that did not decode the body. The body is not in the declared coding, so a fetch fails on it.
    else if (encoded !== undefined && bytes.length > 0) this.fail(new Error('incorrect header check'))
    else this.#data(bytes)
  }

  #data(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    const chunk = Buffer.from(bytes)
    this.#deliver(() => {
      if (this.#modern) this.#handler.onResponseData?.(this, chunk)
      else if (this.#handler.onData?.(chunk) === false) this.pause()
    })
  }

  end(trailers: HeaderPairs = []): void {
    this.#data(this.#body?.end() ?? new Uint8Array())
    this.#deliver(() => {
      this.#ended = true
      this.rawTrailers = rawOf(trailers)
      if (this.#modern) this.#handler.onResponseEnd?.(this, recordOfReceived(trailers))
      else this.#handler.onComplete?.(this.rawTrailers)
    })
  }

  fail(error: unknown): void {
    this.#held = []
    if (!this.aborted) this.#inScope(() => this.#error(error))
  }

  abort(reason: unknown): void {
    if (!this.#ended) this.#abort(reason)
  }

  pause(): void {
    this.paused = true
  }

  resume(): void {
    this.paused = false
    while (!this.paused) {
      const next = this.#held.shift()
      if (next === undefined) return
      this.#call(next)
    }
  }

  #abort(reason: unknown): void {
    if (this.aborted) return
    this.aborted = true
    this.reason = reason
    this.#held = []
    this.onAbort?.()
    this.#inScope(() => this.#error(reason ?? new DOMException('This operation was aborted', 'AbortError')))
  }

  #deliver(event: () => void): void {
    if (this.aborted) return
    if (this.paused) this.#held.push(event)
    else this.#call(event)
  }

  /** Behaves like undici when a handler throws. */
  #call(event: () => void): void {
    try {
      this.#inScope(event)
    } catch (error) {
      this.#abort(error)
    }
  }

  #error(error: unknown): void {
    if (this.#modern) this.#handler.onResponseError?.(this, error)
    else this.#handler.onError?.(error)
  }
}

/** The headers are complete once the body has been read. */
interface DispatchedRequest {
  headers: HeaderPairs
  readonly body: RequestBody
  /** Reads the body, if it arrives piece by piece. */
  readonly reading?: ReadBody
}

function readRequest(scope: Scope, url: string, { body, ...options }: DispatchOptions): DispatchedRequest {
  const headers = dispatchHeaders(options)
  if (isReadyBody(body)) return { headers, body: body ?? undefined }
  if (isIterableBody(body)) {
    const reading = readPieces(scope, url, headers, body)
    return { headers, body: reading.sent, reading }
  }
  if (!isFormBody(body)) return { headers, body: undefined }
  const read = runOutside(() => readFormBody(body, headers))
  const request = {
    headers,
    body: read.then((form) => {
      request.headers = form.headers
      return form.bytes
    }),
  }
  return request
}

function rawOf(pairs: HeaderPairs): Buffer[] {
  return pairs.flat().map((text) => Buffer.from(text, 'latin1'))
}
