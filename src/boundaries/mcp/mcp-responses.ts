import { closeByteStream, createByteStream } from '../../node/byte-stream.ts'
import type { RpcMessage } from '../../models/mcp.ts'
import { statusTextOf } from '../../http/status-text.ts'
import type { Preamble } from '../../run/sessions.ts'
import { omitUndefined } from '../../trace/json.ts'
import type { HeaderPairs } from '../../trace/http-facts.ts'
import { createFetchedResponse } from '../http/fetched-response.ts'
import { AnsweredSession, type ServerDouble } from './answered-session.ts'
import type { FetchMessage } from './fetch-message.ts'
import { type FailedAnswer, failedAnswerOf } from './http-failure.ts'

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

  says(message: RpcMessage, to: unknown, sessionId?: string): void {
    const response = to === undefined ? this.#listening : this.#open.get(to)
    if (message.method !== undefined) return response?.say(message)
    this.#open.delete(to)
    response?.end(message, sessionId === undefined ? [] : [['mcp-session-id', sessionId]])
  }

  /** @returns Whether the failure was not a protocol error. */
  fails(to: unknown, error: unknown): boolean {
    const answer = failedAnswerOf(error)
    if (answer === undefined && error instanceof Error && error.name === 'McpError') return false
    const response = this.#open.get(to)
    this.#open.delete(to)
    if (answer === undefined) response?.fail(error)
    else response?.answer(answer)
    return true
  }

  close(): void {
    this.#listening = undefined
  }

  #empty(status: number): Response {
    return createFetchedResponse(null, { status }, { url: this.#url, redirected: false })
  }
}

/** An answer with one body. */
type Answered = Omit<FailedAnswer, 'statusText'> & Partial<Pick<FailedAnswer, 'statusText'>>

/** An incomplete answer to a fetch: JSON if it is a single message, else a stream of events. */
class OpenResponse {
  readonly #settled = Promise.withResolvers<Response>()
  readonly made: Promise<Response> = this.#settled.promise
  readonly #url: string
  #controller: ReadableByteStreamController | undefined

  constructor(url: string, signal: AbortSignal | null | undefined) {
    this.#url = url
    if (signal?.aborted === true) this.fail(signal.reason)
    signal?.addEventListener('abort', () => this.fail(signal.reason), { once: true })
  }

  /** Makes the answer a stream: it has more than one message, or none yet. */
  stream(): void {
    if (this.#controller !== undefined) return
    const body = createByteStream({ start: (controller) => void (this.#controller = controller) })
    this.#settled.resolve(this.#response(body, { status: 200, contentType: 'text/event-stream' }))
  }

  say(message: RpcMessage): void {
    this.stream()
    this.#controller?.enqueue(new TextEncoder().encode(`event: message\ndata: ${JSON.stringify(message)}\n\n`))
  }

  end(message: RpcMessage, headers: HeaderPairs): void {
    if (this.#controller === undefined)
      return this.answer({ body: JSON.stringify(message), status: 200, contentType: 'application/json', headers })
    this.say(message)
    closeByteStream(this.#controller)
  }

  answer({ body, ...head }: Answered): void {
    this.#settled.resolve(this.#response(body, head))
  }

  fail(error: unknown): void {
    this.#settled.reject(error)
    try {
      this.#controller?.error(error)
    } catch {
      // It was already closed.
    }
  }

  #response(body: BodyInit, { status, statusText, contentType, headers = [] }: Omit<Answered, 'body'>): Response {
    const init = { status, statusText: statusTextOf({ status, ...omitUndefined({ statusText }) }) }
    const pairs = [['content-type', contentType], ...headers.map(([name, value]) => [name, value])] as [string, string][]
    return createFetchedResponse(body, { ...init, headers: pairs }, { url: this.#url, redirected: false })
  }
}
