import type { IncomingHttpHeaders } from 'node:http'

/** A request that the provider received, and what it sent for it. */
export interface Exchange {
  /** 1 for the first request that the provider received. */
  readonly ordinal: number
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** The body, byte for byte. */
  readonly bytes: Buffer
  /** The body parsed; undefined where it is no JSON. */
  readonly body: unknown
  /** The status sent; undefined where the connection was destroyed before. */
  status?: number
  /** The pieces of the body as they were written, in order. */
  readonly sent: Buffer[]
}
