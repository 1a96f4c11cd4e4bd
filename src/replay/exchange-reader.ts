import { decodedBody } from '../boundaries/http/decode-body.ts'
import { headerValue, meaningfulHeaders } from '../boundaries/http/headers.ts'
import type { ExchangeStart } from '../run/active-run.ts'
import type { Boundary } from '../trace/boundary.ts'
import { httpInput, type LiveInput, type LiveSide } from './live-input.ts'

/** Makes the input of an exchange from its body, once that is known. */
export function exchangeReader(
  start: ExchangeStart,
  boundary: Boundary,
  name: string,
  side: LiveSide,
): (body: Uint8Array | string | undefined) => LiveInput {
  const { method, url } = start
  return (body) => {
    const sent = typeof start.headers === 'function' ? start.headers() : start.headers
    const plain = decodedBody(body, headerValue(sent, 'content-encoding'))
    return httpInput({ boundary, name, method, url, headers: meaningfulHeaders(sent, side.headers) }, plain, side)
  }
}
