import type { SessionFailure } from '../../run/sessions.ts'
import { omitUndefined } from '../../trace/json.ts'
import type { HeaderPairs } from '../../trace/http-facts.ts'
import { defineOwn } from '../patches.ts'

/** An MCP server's answer that is not a protocol answer. */
export interface FailedAnswer {
  readonly status: number
  readonly statusText: string
  readonly contentType: string
  /** The headers that say more than the body's form. Absent in older traces. */
  readonly headers?: HeaderPairs
  readonly body: string
}

/** A request that an MCP server has answered with an HTTP status. */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure'
  readonly http: FailedAnswer

  constructor(http: FailedAnswer) {
    super(`the server answered with status ${http.status}`)
    this.http = http
  }
}

/** Returns the answer of a request that failed like that, recorded or not. */
export function failedAnswerOf(error: unknown): FailedAnswer | undefined {
  if (!(error instanceof Error) || error.name !== 'HttpFailure') return undefined
  return Reflect.get(error, 'http') as FailedAnswer | undefined
}

/** Returns the failure of a request that opens a session, in the trace's form. */
export function toSessionFailure(error: unknown): SessionFailure {
  const { name, message, code, cause } = (error instanceof Error ? error : new Error(String(error))) as Error & { readonly code?: unknown }
  const deeper = cause === undefined ? undefined : toSessionFailure(cause)
  return { name, message, ...omitUndefined({ code, cause: deeper, http: failedAnswerOf(error) }) }
}

/** Converts such a failure back to an error. */
export function fromSessionFailure({ name, message, code, cause, http }: SessionFailure): Error {
  if (http !== undefined) return new HttpFailure(http as FailedAnswer)
  const error = name === 'TypeError' ? new TypeError(message) : new Error(message)
  if (cause !== undefined) defineOwn(error, 'cause', fromSessionFailure(cause))
  return code === undefined ? error : Object.assign(error, { code })
}
