import { effectsOf, isRpcMessage, type RpcError, type RpcMessage, serverNameOf, toMcpStep, withoutTokens } from '../../models/mcp.ts'
import type { FunctionCall } from '../../run/active-run.ts'
import type { Preamble, SessionAnswer } from '../../run/sessions.ts'
import type { Effect } from '../../trace/boundary.ts'
import { omitUndefined, parseJson } from '../../trace/json.ts'

/** The maximum size of what a session keeps about its server, in characters of JSON. */
const mostKept = 2_000_000

/** What is known about a session with an MCP server, recorded or replayed. */
export class McpSession {
  /** The server's name; until the server has sent it, the program's. */
  server: string
  readonly #open: Preamble['open']
  readonly #answers = new Map<string, SessionAnswer>()
  #kept = 0
  #effects: ReadonlyMap<string, Effect> = new Map()

  /** @param name The name to use until the server has sent its own. */
  constructor(open: Preamble['open'], name: string) {
    this.#open = open
    this.server = name
  }

  /** Learns from a completed exchange of the session. Returns the addition to the preamble; undefined if nothing is new. */
  learn(method: string, params: unknown, answer: Pick<SessionAnswer, 'result' | 'error' | 'failure' | 'sessionId'>): Preamble | undefined {
    this.name(answer.result)
    if (method === 'tools/list') this.#effects = new Map([...this.#effects, ...effectsOf(answer.result)])
    const kept: SessionAnswer = {
      method,
      params: paramsOf(method, params),
      ...outcomeOf(answer),
      ...omitUndefined({ sessionId: answer.sessionId }),
    }
    const key = keyOf(method, params)
    const text = JSON.stringify(kept)
    if (this.#kept + text.length > mostKept || JSON.stringify(this.#answers.get(key)) === text) return undefined
    this.#kept += text.length
    this.#answers.set(key, kept)
    return { open: this.#open, server: this.server, answers: [kept] }
  }

  /** Reads the server's name from an answer. Returns whether the answer has it. */
  name(result: unknown): boolean {
    const name = serverNameOf(result)
    this.server = name ?? this.server
    return name !== undefined
  }

  /** Everything that was exchanged to open the session. */
  get preamble(): Preamble {
    return { open: this.#open, server: this.server, answers: [...this.#answers.values()] }
  }

  /** Returns a request or notification as a call of a run. */
  toCall(owner: number, method: string, params: unknown): FunctionCall {
    const step = toMcpStep(this.server, method, params)
    const tool = method === 'tools/call' ? (params as { readonly name?: unknown } | undefined)?.name : undefined
    const effect = typeof tool === 'string' ? this.#effects.get(tool) : undefined
    return { ...step, owner, errors: [], ...(effect === undefined ? {} : { effect }) }
  }

  /** Returns the agent's answer to a request of the server as a call of a run. */
  toAnswer(owner: number, method: string, message: RpcMessage): FunctionCall {
    const input = message.error === undefined ? message.result : { error: message.error }
    return { boundary: 'external', name: `mcp ${this.server}.${method} answer`, input, owner, errors: [] }
  }
}

function outcomeOf({ result, error, failure }: Pick<SessionAnswer, 'result' | 'error' | 'failure'>): Partial<SessionAnswer> {
  if (failure !== undefined) return { failure }
  return error === undefined ? { result } : { error }
}

/** Returns the same key for equal requests, whatever the order of their parameters. */
export function keyOf(method: string, params: unknown): string {
  return `${method} ${JSON.stringify(paramsOf(method, params) ?? {})}`
}

/** The pseudo-request that ends a session. */
export const closing = 'close'

/** Returns a session's request, with the session's opening, as signals name it. */
export function requestOf(open: Preamble['open'], method: string, params?: unknown): string {
  return `${open.name} ${keyOf(method, params)}`
}

/** Drops the protocol version and the client, which do not distinguish sessions. */
function paramsOf(method: string, params: unknown): unknown {
  return method === 'initialize' ? {} : withoutTokens(params)
}

/** Converts the JSON-RPC error of an agent's request to an `Error`. */
export function toRpcFailure({ code, message, data }: RpcError): Error {
  return Object.assign(new Error(message), { name: 'McpError', code, ...omitUndefined({ data }) })
}

/** Converts the error of a failed request to its form in a message. */
export function fromFailure(error: unknown): RpcError {
  const { code, message, data } = (typeof error === 'object' && error !== null ? error : {}) as Partial<RpcError>
  return { code: typeof code === 'number' ? code : internalError, message: message ?? String(error), ...omitUndefined({ data }) }
}

/** JSON-RPC's code for an internal error. */
const internalError = -32_603

/** Returns the name of the signal for a server's messages that answer nothing. */
export function saidSignal(server: string): string {
  return `mcp ${server}`
}

/** Returns the name of the signal for a server's end. */
export function closedSignal(server: string): string {
  return `mcp ${server} closed`
}

/** Splits arriving bytes into lines. */
export class Lines {
  #open = ''
  readonly #decoder = new TextDecoder()

  add(bytes: Uint8Array): string[] {
    const lines = (this.#open + this.#decoder.decode(bytes, { stream: true })).split('\n')
    this.#open = lines.pop() ?? ''
    return lines
  }
}

/** Parses a line as a message; returns undefined if it is not one. */
export function parseMessage(line: string): RpcMessage | undefined {
  const json = line.trimStart().startsWith('{') ? parseJson(line) : undefined
  return isRpcMessage(json) ? json : undefined
}
