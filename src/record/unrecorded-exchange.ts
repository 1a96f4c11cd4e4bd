import type { CapturedExchange } from '../run/active-run.ts'

/** Used in place of an exchange that is not recorded. */
export const unrecordedExchange: CapturedExchange = {
  requestBody: () => undefined,
  head: () => undefined,
  data: () => undefined,
  end: () => undefined,
  fail: () => undefined,
  stop: () => undefined,
}
