import { decodedBody } from '../../http/decode-body.ts'
import { headerValue, meaningfulHeaders } from '../../http/headers.ts'
import type { ExchangeStart } from '../../run/active-run.ts'
import type { Boundary } from '../../trace/boundary.ts'
import { ExchangeInput, type ReplayedInput, type ReplaySide } from './replayed-input.ts'

/** The input of an exchange with a known body. */
export function readExchange(
  start: ExchangeStart,
  boundary: Boundary,
  name: string,
  body: Uint8Array | string | undefined,
  side: ReplaySide,
): ReplayedInput {
  const { method, url } = start
  const sent = typeof start.headers === 'function' ? start.headers() : start.headers
  const plain = typeof body === 'string' ? body : decodedBody(body, headerValue(sent, 'content-encoding'))
  return new ExchangeInput({ boundary, name, method, url, headers: meaningfulHeaders(sent, side.headers) }, plain, side)
}
