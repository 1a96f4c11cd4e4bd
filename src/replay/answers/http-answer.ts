import { printValue } from '../../divergence/print-value.ts'
import { isFields } from '../../divergence/same-value.ts'
import { decodedBody } from '../../http/decode-body.ts'
import type { HttpHead } from '../../trace/http-facts.ts'

/** A whole HTTP answer. */
export interface HttpAnswer extends Pick<HttpHead, 'status' | 'statusText' | 'headers'> {
  readonly body: string | Uint8Array
}

/** An object with its own status and headers. */
interface SpelledOutAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly text?: string
}

export function isSpelledOut(value: unknown): value is SpelledOutAnswer {
  return typeof value === 'object' && value !== null && 'status' in value && typeof value.status === 'number'
}

/** The response may come from a different realm than this code, such as Jest's sandbox. */
export function isResponse(value: unknown): value is Response {
  return typeof value === 'object' && value !== null && 'arrayBuffer' in value && isSpelledOut(value)
}

/**
 * Converts an answer given as a value: JSON, or an object with status and headers. Explains what is wrong with an answer that no `Response` can have.
 */
export function toHttpAnswer(name: string, value: unknown): HttpAnswer | { readonly problem: string } {
  const { status, headers = {}, json, text } = isSpelledOut(value) ? value : { status: 200, json: value }
  const wrong = wrongStatus(status) ?? wrongHeaders(headers)
  if (wrong !== undefined) return { problem: `cannot answer ${name} with ${wrong}` }
  try {
    const body = text ?? (json === undefined ? '' : JSON.stringify(json))
    const type = text === undefined ? 'application/json' : 'text/plain;charset=utf-8'
    return { status, headers: [['content-type', type], ...Object.entries(headers)], body }
  } catch (error) {
    return { problem: `cannot answer ${name} with a value that is not JSON: ${messageOf(error)}` }
  }
}

/** Reads a whole response. @throws Error for `Response.error()`, the response of a request that failed. */
export async function readResponse(response: Response): Promise<HttpAnswer> {
  if (response.type === 'error') throw new Error('network error')
  const body = new Uint8Array(await response.arrayBuffer())
  const { status, statusText } = response
  return {
    status,
    ...(statusText === '' ? {} : { statusText }),
    headers: [...response.headers],
    body: decodedBody(body, response.headers.get('content-encoding') ?? undefined),
  }
}

function wrongStatus(status: number): string | undefined {
  if (Number.isInteger(status) && status >= 200 && status <= 599) return undefined
  return `the status ${status}. A status is a whole number from 200 to 599. To answer with JSON that has a field "status", give { status: 200, json: … }. To make the call fail, give an Error.`
}

function wrongHeaders(headers: unknown): string | undefined {
  const names = 'Headers are an object of texts by name.'
  if (!isFields(headers)) return `the headers ${printValue(headers, 60)}. ${names}`
  try {
    void new Headers(headers as Record<string, string>)
    return undefined
  } catch (error) {
    return `the headers ${printValue(headers, 60)}: ${messageOf(error)} ${names}`
  }
}

/** Returns the first line of an error's message. */
function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.split('\n', 1)[0] ?? ''
}
