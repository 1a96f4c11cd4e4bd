import { REQUEST_LIMIT_MS } from './config.ts'

/** The parts of a request other than its path. */
export interface RequestOptions {
  readonly body?: unknown
  /** Two requests with the same key are one payment. */
  readonly key?: string
}

/** Creates a function that sends requests to the bank. They reject if it refuses or takes too long. */
export function connect(
  base: string,
): (method: 'GET' | 'POST', path: string, options?: RequestOptions) => Promise<Record<string, unknown>> {
  return async (method, path, { body, key } = {}) => {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(key !== undefined && { 'idempotency-key': key }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(REQUEST_LIMIT_MS),
    })
    if (!response.ok) throw new Error(`The bank says ${response.status}.`)
    return (await response.json()) as Record<string, unknown>
  }
}
