import type { CapturedExchange } from '../run/active-run.ts'
import type { HeaderPairs } from '../trace/rows.ts'
import type { RawBody } from './raw/raw-entry.ts'

/** Does what may fail without anybody but the recording being hurt. Gives undefined where it failed. */
export type Attempt = <Result>(record: () => Result) => Result | undefined

/** An exchange whose recording may fail: what goes over the wire is not touched by it. */
export class FailOpenExchange implements CapturedExchange {
  readonly step: number
  readonly #exchange: CapturedExchange
  readonly #attempt: Attempt

  constructor(exchange: CapturedExchange, attempt: Attempt) {
    this.step = exchange.step
    this.#exchange = exchange
    this.#attempt = attempt
  }

  requestBody(body: RawBody, headers?: HeaderPairs): void {
    this.#attempt(() => this.#exchange.requestBody(body, headers))
  }

  head(status: number, headers: HeaderPairs, url?: string, isDecoded?: boolean): void {
    this.#attempt(() => this.#exchange.head(status, headers, url, isDecoded))
  }

  data(bytes: Uint8Array): void {
    this.#attempt(() => this.#exchange.data(bytes))
  }

  end(trailers?: HeaderPairs): void {
    this.#attempt(() => this.#exchange.end(trailers))
  }

  fail(error: unknown): void {
    this.#attempt(() => this.#exchange.fail(error))
  }

  stop(reason: unknown): void {
    this.#attempt(() => this.#exchange.stop(reason))
  }
}

/** Stands in where an exchange could not even be begun. */
export const unrecordedExchange: CapturedExchange = {
  step: 0,
  requestBody: () => undefined,
  head: () => undefined,
  data: () => undefined,
  end: () => undefined,
  fail: () => undefined,
  stop: () => undefined,
}
