import type { RpcMessage } from '../../models/mcp.ts'
import type { Preamble } from '../../run/sessions.ts'
import { createFetchedResponse } from '../http/fetched-response.ts'
import { AnsweredSession, type ServerDouble } from './answered-session.ts'
import type { FetchMessage } from './fetch-message.ts'
import { failedAnswerOf } from './http-failure.ts'

/** Answers fetches from one MCP server that has recordings. */
export class McpResponses implements ServerDouble {
  readonly #url: string
  readonly #session: AnsweredSession
  readonly #open = new Map<unknown, OpenResponse>()
  /** The open response for messages that belong to no request. */
  #listening: OpenResponse | undefined

  constructor(open: Preamble['open'], host: string) {
    this.#url = (open.input as { readonly url: string }).url
    this.#session = new AnsweredSession(this, open, host, [])
  }

  /** @param preambles What is known so far about opening the session. */
  async send(call: FetchMessage, signal: AbortSignal | null | undefined, preambles: readonly Preamble[]): Promise<Response> {
    this.#session.learn(preambles)
    if (call.kind === 'end') return this.#empty(200)
    if (call.kind === 'listen') {
      this.#listening = new OpenResponse(this.#url, signal)
      this.#listening.stream()
      return await this.#listening.made
    }
    const { message } = call
    if (message.id === undefined || message.method === undefined) {
      this.#session.sends(message)
      return this.#empty(202)
    }
    const response = new OpenResponse(this.#url, signal)
    this.#open.set(response, response)
    this.#session.sends(message, response)
    return await response.made
  }

  says(message: RpcMessage, to: unknown): void {
    const response = to === undefined ? this.#listening : this.#open.get(to)
    if (message.method !== undefined) return response?.say(message)
    this.#open.delete(to)
    response?.end(message)
  }

  /** @returns Whether the failure was not a protocol error. */
  fails(to: unknown, error: unknown): boolean {
    const answer = failedAnswerOf(error)
    if (answer === undefined && error instanceof Error && error.name === 'McpError') return false
    const response = this.#open.get(to)
    this.#open.delete(to)
    if (answer === undefined) response?.fail(error)
    else response?.answer(answer.body, answer.status, answer.contentType)
    return true
  }

  close(): void {
    this.#listening = undefined
  }

  #empty(status: number): Response {
    return createFetchedResponse(null, { status }, { url: this.#url, redirected: false })
  }
}

/** An incomplete answer to a fetch: JSON if it is a single message, else a stream of events. */
class OpenResponse {
  readonly #settled = Promise.withResolvers<Response>()
  readonly made: Promise<Response> = this.#settled.promise
  readonly #url: string
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined

  constructor(url: string, signal: AbortSignal | null | undefined) {
    this.#url = url
    if (signal?.aborted === true) this.fail(signal.reason)
    signal?.addEventListener('abort', () => this.fail(signal.reason), { once: true })
  }

  /** Makes the answer a stream: it has more than one message, or none yet. */
  stream(): void {
    if (this.#controller !== undefined) return
    const body = new ReadableStream<Uint8Array>({ start: (controller) => void (this.#controller = controller) })
    this.#settled.resolve(this.#response(body, 200, 'text/event-stream'))
  }

  say(message: RpcMessage): void {
    this.stream()
    this.#controller?.enqueue(new TextEncoder().encode(`event: message\ndata: ${JSON.stringify(message)}\n\n`))
  }

  end(message: RpcMessage): void {
    if (this.#controller === undefined) return this.answer(JSON.stringify(message), 200, 'application/json')
    this.say(message)
    this.#controller.close()
  }

  answer(body: string, status: number, contentType: string): void {
    this.#settled.resolve(this.#response(body, status, contentType))
  }

  fail(error: unknown): void {
    this.#settled.reject(error)
    try {
      this.#controller?.error(error)
    } catch {
      // It was already closed.
    }
  }

  #response(body: BodyInit, status: number, contentType: string): Response {
    return createFetchedResponse(body, { status, headers: { 'content-type': contentType } }, { url: this.#url, redirected: false })
  }
}
