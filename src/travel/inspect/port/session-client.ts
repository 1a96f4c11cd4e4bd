import { isJsonObject, parseJson } from '../../../trace/json.ts'
import { DebuggerSession } from '../debugger-session.ts'
import type { ClientHandler, PortClient } from './debugger-port.ts'

/** A message of the inspector's protocol from a client. */
export interface ProtocolRequest {
  readonly id: number
  readonly method: string
  readonly params?: object
}

/** goldenrun's own methods, by name. */
export type OwnMethods = Readonly<Record<string, (params: object) => Promise<object>>>

/** A client's own session of the inspector: what it enables and sets does not affect other clients. */
export class SessionClient implements ClientHandler {
  readonly #session = new DebuggerSession()
  readonly #client: PortClient
  readonly #own: OwnMethods
  readonly #onRequest: (method: string) => void

  /**
   * @param own For goldenrun's terminal; other clients have only V8's methods.
   * @param onRequest Called with the method of each request that was answered.
   */
  constructor(client: PortClient, own: OwnMethods, onRequest: (method: string) => void) {
    ;[this.#client, this.#own, this.#onRequest] = [client, own, onRequest]
    this.#session.onMessage((message) => client.send(JSON.stringify(message)))
  }

  receive(text: string): void {
    const request = parseRequest(text)
    if (request === undefined) return this.#client.send(JSON.stringify({ error: { code: INVALID, message: 'This is not a request.' } }))
    void this.#answer(request).then(() => this.#onRequest(request.method))
  }

  close(): void {
    this.#session.close()
  }

  async #answer({ id, method, params = {} }: ProtocolRequest): Promise<void> {
    try {
      const own = this.#own[method]
      const result = await (own === undefined ? this.#session.post<object>(method, params) : own(params))
      this.#client.send(JSON.stringify({ id, result }))
    } catch (error) {
      this.#client.send(JSON.stringify({ id, error: { code: -32_000, message: error instanceof Error ? error.message : String(error) } }))
    }
  }
}

/** JSON-RPC's code for an invalid request. */
const INVALID = -32_600

/** Returns undefined for an invalid request: any process on this machine may send anything. */
function parseRequest(text: string): ProtocolRequest | undefined {
  const request = parseJson(text)
  if (!isJsonObject(request) || typeof request['id'] !== 'number' || typeof request['method'] !== 'string') return undefined
  const { id, method, params } = request
  return { id, method, ...(isJsonObject(params) && { params }) }
}
