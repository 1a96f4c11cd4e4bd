import { isOfSession, opensSession, progressTokenOf, type RpcMessage } from '../../models/mcp.ts'
import { realTimers } from '../../node/real-timers.ts'
import type { AnsweredRun, FunctionCall } from '../../run/active-run.ts'
import type { EndedProcess } from '../../run/processes.ts'
import { type AnsweredScope, answeredScope, runInScope } from '../../run/scope.ts'
import type { Preamble, SessionAnswer } from '../../run/sessions.ts'
import { fromSessionFailure } from './http-failure.ts'
import { closedSignal, closing, fromFailure, keyOf, McpSession, requestOf, saidSignal } from './mcp-session.ts'

/** A request that is not answered yet. */
interface OpenRequest {
  readonly run: AnsweredRun
  readonly ordinal: number
  readonly token: unknown
}

/** Delivers a server's messages to the agent. */
export interface ServerDouble {
  /** @param to The request that the message answers or belongs to, if any. */
  says(message: RpcMessage, to: unknown, sessionId?: string): void
  /** Fails a request. Returns whether the error was passed on; if not, it is sent as a protocol error. */
  fails?(to: unknown, error: unknown): boolean
  close?(ended: EndedProcess): void
}

/** A session with an MCP server that has recordings, opened in a run or outside of all runs. */
export class AnsweredSession {
  readonly #server: ServerDouble
  readonly #open: Preamble['open']
  readonly #session: McpSession
  /** The latest answer to each request. */
  readonly #known = new Map<string, SessionAnswer>()
  /** The recorded server's name; the agent may not have received it yet. */
  #recordedName: string
  #isNamed = false
  /** Whether a recording has this session. */
  #isKnown = false
  readonly #users = new Map<AnsweredRun, number>()
  readonly #requests = new Map<unknown, OpenRequest>()
  readonly #asked = new Map<unknown, string>()
  #isClosed = false

  /** @param name The session's name if the server has none. */
  constructor(server: ServerDouble, open: Preamble['open'], name: string, preambles: readonly Preamble[]) {
    this.#server = server
    this.#session = new McpSession(open, name)
    this.#open = open
    this.#recordedName = name
    this.learn(preambles)
  }

  /** Adds what preambles say about opening the session. */
  learn(preambles: readonly Preamble[]): void {
    const { server } = this.#session
    for (const preamble of preambles) {
      this.#recordedName = preamble.server
      this.#isKnown = true
      for (const answer of preamble.answers) {
        this.#known.set(keyOf(answer.method, answer.params), answer)
        this.#session.learn(answer.method, answer.params, answer)
      }
    }
    this.#session.server = server
  }

  /** The agent sends a message. @param key Identifies a request. Default: its id. */
  sends(message: RpcMessage, key: unknown = message.id): void {
    const { id, method, params } = message
    const scope = answeredScope()
    if (method !== undefined && isOfSession(method)) {
      const answers = this.#answersTo(scope, keyOf(method, params)) ?? this.#answersTo(scope, keyOf(method, {})) ?? []
      if (scope !== undefined) this.#uses(scope)
      if (id === undefined) return
      // Clients ping the server from time to time.
      if (method === 'ping' && scope === undefined) return this.#later(scope, () => this.#says({ id, result: {} }, key))
      // The recorded server ended before it could answer, so this one does not answer either.
      if (answers.length === 0 && opensSession(message) && this.#isKnown) return
      if (answers.length > 0)
        return this.#inPlace(scope, method, params, (index) => this.#answersFor(id, key, answers[index] ?? answers.at(-1)))
    }
    if (scope === undefined) {
      if (id === undefined || method === undefined) return
      const error = { code: -32_603, message: `goldenrun: ${method} was called outside any run, so there is no recorded answer` }
      return this.#later(undefined, () => this.#says({ id, error }, key))
    }
    this.#sendsInRun(scope, message, key)
  }

  /** Returns all recorded answers of this run to a request, in order; if there are none, the latest known answer. */
  #answersTo(scope: AnsweredScope | undefined, key: string): SessionAnswer[] | undefined {
    const own = (scope?.run.sessions.preamblesOf(this.#open) ?? []).flatMap(({ answers }) =>
      answers.filter(({ method, params }) => keyOf(method, params) === key),
    )
    const latest = this.#known.get(key)
    return own.length > 0 ? own : latest && [latest]
  }

  /** Answers a request that belongs to the session. The answer may contain the server's name. */
  #answersFor(id: RpcMessage['id'], key: unknown, known: SessionAnswer | undefined): void {
    if (known === undefined) return
    this.#isNamed ||= this.#session.name(known.result)
    for (const [run] of this.#users) this.#hearsFrom(run)
    if (known.failure !== undefined && this.#server.fails?.(key, fromSessionFailure(known.failure)) === true) return
    this.#says({ ...(id === undefined ? {} : { id }), ...outcomeOf(known) }, key, known.sessionId)
  }

  #sendsInRun(scope: AnsweredScope, { id, method, ...message }: RpcMessage, key: unknown): void {
    const { run, owner } = scope
    // An HTTP client does not have to open a session.
    if (!this.#isNamed) this.#session.server = this.#recordedName
    const ordinal = this.#uses(scope)
    if (method === undefined) {
      const asked = this.#asked.get(id) ?? 'request'
      this.#asked.delete(id)
      return void this.#calls(run, this.#session.toAnswer(owner, asked, message))
    }
    const call = this.#session.toCall(owner, method, message.params)
    if (id === undefined) return void this.#calls(run, call)
    this.#users.set(run, ordinal + 1)
    this.#requests.set(key, { run, ordinal: ordinal + 1, token: progressTokenOf(message.params) })
    void Promise.resolve(this.#calls(run, call)).then(
      (result) => this.#settles(id, key, { result }),
      (error: unknown) => {
        if (this.#server.fails?.(key, error) === true) this.#requests.delete(key)
        else this.#settles(id, key, { error: fromFailure(error) })
      },
    )
  }

  #calls(run: AnsweredRun, call: FunctionCall): unknown {
    return run.callFunction(call, () => undefined)
  }

  #settles(id: RpcMessage['id'], key: unknown, outcome: Pick<RpcMessage, 'result' | 'error'>): void {
    this.#requests.delete(key)
    this.#says({ ...(id === undefined ? {} : { id }), ...outcome }, key)
  }

  /** Returns how many requests the run has made before. The first call subscribes the run to the recorded server's messages. */
  #uses(scope: AnsweredScope): number {
    const { run } = scope
    const before = this.#users.get(run)
    if (before !== undefined) return before
    // A session outlives replays and must not retain them.
    for (const [user] of this.#users) if (user.ended) this.#users.delete(user)
    this.#users.set(run, 0)
    this.#hearsFrom(run)
    return 0
  }

  #hearsFrom(run: AnsweredRun): void {
    const { server } = this.#session
    run.sessions.onSignal(saidSignal(server), (value) => runInScope({ run, owner: 0 }, () => this.#hears(run, value as Said)))
    run.sessions.onSignal(closedSignal(server), (value) => this.#close(value as EndedProcess))
  }

  #hears(run: AnsweredRun, { message, request }: Said): void {
    const { id, method = '', params } = message
    if (id !== undefined) this.#asked.set(id, method)
    const [to, of] = [...this.#requests].find((open) => open[1].run === run && open[1].ordinal === request) ?? []
    const own = of === undefined ? {} : { params: { ...(params as object), progressToken: of.token } }
    const asking = [...this.#requests].find((open) => open[1].run === run)?.[0]
    this.#says({ ...message, ...own }, to ?? asking)
  }

  #says(message: Omit<RpcMessage, 'jsonrpc'>, to: unknown, sessionId?: string): void {
    if (!this.#isClosed) this.#server.says({ jsonrpc: '2.0', ...message }, to, sessionId)
  }

  /** The agent closes the session. */
  closes(): void {
    this.#inPlace(answeredScope(), closing, undefined, () => this.#close({ code: 0, signal: null }))
  }

  #close(ended: EndedProcess): void {
    this.#isClosed = true
    this.#server.close?.(ended)
  }

  /** Answers where the recorded run had the answer, or else in the next turn of the event loop. @param answer Receives the index of the answer. */
  #inPlace(scope: AnsweredScope | undefined, method: string, params: unknown, answer: (index: number) => void): void {
    const place = scope?.run.sessions.inPlace(requestOf(this.#open, method, params))
    const give = (): void => answer(place?.answer ?? Infinity)
    if (place?.later === undefined || scope === undefined) this.#later(scope, give)
    else place.later(() => runInScope(scope, give))
  }

  /** Runs `action` in the next turn of the event loop; the run waits for it. */
  #later(scope: AnsweredScope | undefined, action: () => void): void {
    const release = scope?.run.busy()
    realTimers.setImmediate(() => {
      action()
      release?.()
    })
  }
}

/** A server's message that answers nothing, in the form of a signal. */
interface Said {
  readonly message: RpcMessage
  /** For progress: the number of its request within the run. */
  readonly request?: number
}

function outcomeOf(answer: SessionAnswer): Pick<RpcMessage, 'result' | 'error'> {
  const error = answer.error ?? answer.failure
  return error === undefined ? { result: answer.result } : { error: fromFailure(error) }
}
