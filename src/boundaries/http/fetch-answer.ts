import { STATUS_CODES } from 'node:http'
import type { AnswerSink } from '../../run/active-run.ts'
import type { HeaderPairs } from '../../trace/rows.ts'
import { type ContentDecoder, createContentDecoder } from './content-decoder.ts'
import type { FetchCall } from './fetch-call.ts'
import { decodedHeaders, headerValue } from './headers.ts'

/** The answer to one fetch: a promise of a Response whose body delivers what the sink is given, piece by piece. */
export class FetchAnswer implements AnswerSink {
  readonly response: Promise<Response>
  onSettled: (() => void) | undefined
  /** Called when the agent stops reading or aborts. */
  onStop: (() => void) | undefined
  readonly #call: Pick<FetchCall, 'url' | 'method'>
  #resolve!: (response: Response) => void
  #reject!: (error: unknown) => void
  #body: ReadableStreamDefaultController<Uint8Array> | undefined
  /** Set where the recording was made by a client that left the body encoded. */
  #decoder: ContentDecoder | undefined
  #state: 'waiting' | 'streaming' | 'settled' = 'waiting'

  constructor(call: Pick<FetchCall, 'url' | 'method'>) {
    this.#call = call
    this.response = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  head(status: number, headers: HeaderPairs): void {
    if (this.#state !== 'waiting') return
    this.#state = 'streaming'
    this.#decoder = createContentDecoder(headerValue(headers, 'content-encoding'), {
      data: (bytes) => this.#enqueue(bytes),
      end: () => this.#close(),
      drain: () => undefined,
      fail: (error) => this.fail(error),
    })
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
    this.#answer(status, headers, body)
  }

  /** A whole answer that arrived at once: no stream is needed to hand it out. */
  whole(status: number, headers: HeaderPairs, body: string | Uint8Array): void {
    if (this.#state !== 'waiting') return
    if (headerValue(headers, 'content-encoding') !== undefined) {
      this.head(status, headers)
      this.data(typeof body === 'string' ? new TextEncoder().encode(body) : body)
      return this.end()
    }
    this.#settle()
    this.#answer(status, headers, body as BodyInit)
  }

  data(bytes: Uint8Array): void {
    if (this.#decoder === undefined) this.#enqueue(bytes)
    else this.#decoder.write(bytes)
  }

  end(): void {
    if (this.#decoder === undefined) this.#close()
    else this.#decoder.finish()
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

  #answer(status: number, headers: HeaderPairs, body: BodyInit): void {
    const { method, url } = this.#call
    const isBodyless = method === 'HEAD' || status === 101 || status === 204 || status === 205 || status === 304
    const statusText = STATUS_CODES[status] ?? ''
    const response = new Response(isBodyless ? null : body, { status, statusText, headers: decodedHeaders(headers) })
    Object.defineProperty(response, 'url', { value: url, configurable: true })
    this.#resolve(response)
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

/** Errors that a fetch rejects with as they are: its own, recorded at the fetch itself, and a refusal. */
function isPassedThrough(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof Error && 'code' in error && String(error.code).startsWith('GOLDENRUN_'))
}
