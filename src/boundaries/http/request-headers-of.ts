import type { ClientRequest } from 'node:http'
import { toHeaderPairs } from '../../http/headers.ts'

/**
 * Returns the headers that a client has set. Node writes a list of headers (`headers: ['X-A', '1']`) as it is, and then knows none of them. Source:
 * Node, lib/_http_client.js.
 */
export function requestHeadersOf(request: ClientRequest): [string, string][] {
  const known = toHeaderPairs(request.getHeaders())
  const { _header: written } = request as { readonly _header?: string | null }
  if (known.length > 0 || typeof written !== 'string') return known
  const [, ...lines] = written.split('\r\n')
  return lines.flatMap((line): [string, string][] => {
    const sign = line.indexOf(': ')
    return sign === -1 ? [] : [[line.slice(0, sign).toLowerCase(), line.slice(sign + 2)]]
  })
}
