import type { AnswerHead } from '../http/answer-head.ts'
import type { JudgedRequest } from '../http/telemetry/judge-telemetry.ts'
import type { CapturedExchange, ExchangeStart } from '../run/active-run.ts'
import type { HeaderPairs } from '../trace/http-facts.ts'
import type { RawBody } from './raw/raw-entry.ts'
import { unrecordedExchange } from './unrecorded-exchange.ts'

/** An exchange of which only the body tells whether it is recorded. It is decided as soon as the body is known, or the exchange goes on without it. */
export class UndecidedExchange implements CapturedExchange {
  readonly #start: ExchangeStart
  readonly #decide: (request: JudgedRequest, start: ExchangeStart) => CapturedExchange
  #decided: CapturedExchange | undefined
  /** The exchange goes on before the body is complete. */
  #isCut = false

  /** @param decide Returns the exchange that records the request. It gets the request with its body, and the start without. */
  constructor(start: ExchangeStart, decide: (request: JudgedRequest, start: ExchangeStart) => CapturedExchange) {
    this.#start = start
    this.#decide = decide
  }

  requestBody(body: RawBody, changed?: HeaderPairs, isPart?: boolean): void {
    if (this.#decided !== undefined) return
    const { method, url, headers } = this.#start
    const tell = (): void => this.#decided?.requestBody(body, changed, isPart)
    this.#decided = this.#decide({ method, url, headers: changed ?? headers, ready: { body } }, { ...this.#start, cutBody: tell })
    // A recorder that cuts the body itself notes where.
    if (!this.#isCut) tell()
  }

  head(head: AnswerHead, isDecoded?: boolean): void {
    this.#now().head(head, isDecoded)
  }

  data(bytes: Uint8Array): void {
    this.#now().data(bytes)
  }

  end(trailers?: HeaderPairs): void {
    this.#now().end(trailers)
  }

  fail(error: unknown): void {
    this.#now().fail(error)
  }

  stop(reason: unknown): void {
    this.#now().stop(reason)
  }

  #now(): CapturedExchange {
    this.#isCut = true
    if (this.#decided === undefined) this.#start.cutBody?.()
    if (this.#decided === undefined) this.requestBody(undefined)
    return this.#decided ?? unrecordedExchange
  }
}
