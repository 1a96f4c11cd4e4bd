import { effectsOf, isRpcMessage, type RpcError, type RpcMessage, serverNameOf, toMcpStep, withoutTokens } from '../../models/mcp.ts'
import type { FunctionCall } from '../../run/active-run.ts'
import type { Preamble, SessionAnswer } from '../../run/sessions.ts'
import type { Effect } from '../../trace/boundary.ts'

/** How much a session keeps of what it was told about the server, in characters of JSON. */
const mostKept = 2_000_000

/** What is known of a session with an MCP server, recorded or replayed. */
export class McpSession {
  /** The server's name; the program's until it has told its own. */
  server: string
  readonly #open: Preamble['open']
  readonly #answers = new Map<string, SessionAnswer>()
  #kept = 0
  #effects: ReadonlyMap<string, Effect> = new Map()

  /** @param name What it is called until the server has told its name. */
  constructor(open: Preamble['open'], name: string) {
    this.#open = open
    this.server = name
  }

  /** The session's own exchange has taken place. Returns what there is to add to the preamble; undefined for more of the same. */
  learn(method: string, params: unknown, answer: Pick<SessionAnswer, 'result' | 'error' | 'failure'>): Preamble | undefined {
    this.name(answer.result)
    if (method === 'tools/list') this.#effects = new Map([...this.#effects, ...effectsOf(answer.result)])
    const kept: SessionAnswer = {
      method,
      params: paramsOf(method, params),
      ...outcomeOf(answer),
    }
    const key = keyOf(method, params)
    const text = JSON.stringify(kept)
    if (this.#kept + text.length > mostKept || JSON.stringify(this.#answers.get(key)) === text) return undefined
    this.#kept += text.length
    this.#answers.set(key, kept)
    return { open: this.#open, server: this.server, answers: [kept] }
  }

  /** The server may say its name in an answer. Returns whether it does. */
  name(result: unknown): boolean {
    const name = serverNameOf(result)
    this.server = name ?? this.server
    return name !== undefined
  }

  /** All that was exchanged to open it. */
  get preamble(): Preamble {
    return { open: this.#open, server: this.server, answers: [...this.#answers.values()] }
  }

  /** A request or notification as a call of a run. */
  toCall(owner: number, method: string, params: unknown): FunctionCall {
    const step = toMcpStep(this.server, method, params)
    const tool = method === 'tools/call' ? (params as { readonly name?: unknown } | undefined)?.name : undefined
    const effect = typeof tool === 'string' ? this.#effects.get(tool) : undefined
    return { ...step, owner, errors: [], ...(effect === undefined ? {} : { effect }) }
  }

  /** The agent's answer to a request of the server's as a call of a run. */
  toAnswer(owner: number, method: string, message: RpcMessage): FunctionCall {
    const input = message.error === undefined ? message.result : { error: message.error }
    return { boundary: 'external', name: `mcp ${this.server}.${method} answer`, input, owner, errors: [] }
  }
}

function outcomeOf({ result, error, failure }: Pick<SessionAnswer, 'result' | 'error' | 'failure'>): Partial<SessionAnswer> {
  if (failure !== undefined) return { failure }
  return error === undefined ? { result } : { error }
}

/** The same for a request, whatever the order of its parameters. */
export function keyOf(method: string, params: unknown): string {
  return `${method} ${JSON.stringify(paramsOf(method, params) ?? {})}`
}

/** What is asked of a session to end it. */
export const closing = 'close'

/** A request of a session by what opens the session, as a signal has it. */
export function requestOf(open: Preamble['open'], method: string, params?: unknown): string {
  return `${open.name} ${keyOf(method, params)}`
}

/** Which version of the protocol and which client opens a session makes no difference to what it is. */
function paramsOf(method: string, params: unknown): unknown {
  return method === 'initialize' ? {} : withoutTokens(params)
}

/** The message that fails a request of an agent's, as an error. */
export function toRpcFailure({ code, message, data }: RpcError): Error {
  return Object.assign(new Error(message), { name: 'McpError', code, ...(data === undefined ? {} : { data }) })
}

/** The error of a failed request as a message has it. */
export function fromFailure(error: unknown): RpcError {
  const { code, message, data } = (typeof error === 'object' && error !== null ? error : {}) as Partial<RpcError>
  return {
    code: typeof code === 'number' ? code : internalError,
    message: message ?? String(error),
    ...(data === undefined ? {} : { data }),
  }
}

/** JSON-RPC's code for an internal error. */
const internalError = -32_603

/** The signal of what a server says that answers nothing. */
export function saidSignal(server: string): string {
  return `mcp ${server}`
}

/** The signal of a server's end. */
export function closedSignal(server: string): string {
  return `mcp ${server} closed`
}

/** Splits what arrives into lines. */
export class Lines {
  #open = ''
  readonly #decoder = new TextDecoder()

  add(bytes: Uint8Array): string[] {
    const lines = (this.#open + this.#decoder.decode(bytes, { stream: true })).split('\n')
    this.#open = lines.pop() ?? ''
    return lines
  }
}

/** A message of a line; undefined where it is none. */
export function parseMessage(line: string): RpcMessage | undefined {
  if (!line.trimStart().startsWith('{')) return undefined
  try {
    const json: unknown = JSON.parse(line)
    return isRpcMessage(json) ? json : undefined
  } catch {
    return undefined
  }
}
