import type { CapturedExchange } from '../run/active-run.ts'

/** Does what may fail without anybody but the recording being hurt. Gives undefined where it failed. */
export type Attempt = <Result>(record: () => Result) => Result | undefined

/** An exchange whose recording may fail: what goes over the wire is not touched by it. */
export function failOpen(exchange: CapturedExchange, attempt: Attempt): CapturedExchange {
  return {
    step: exchange.step,
    requestBody: (body, headers) => attempt(() => exchange.requestBody(body, headers)),
    head: (status, headers, url) => attempt(() => exchange.head(status, headers, url)),
    data: (bytes) => attempt(() => exchange.data(bytes)),
    end: (trailers) => attempt(() => exchange.end(trailers)),
    fail: (error) => attempt(() => exchange.fail(error)),
    stop: (reason) => attempt(() => exchange.stop(reason)),
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
