import { isOfSession, opensSession, progressTokenOf, type RpcMessage } from '../../models/mcp.ts'
import { realTimers } from '../../node/real-timers.ts'
import type { AnsweredRun, FunctionCall } from '../../run/active-run.ts'
import type { EndedProcess } from '../../run/processes.ts'
import { runInScope } from '../../run/scope.ts'
import type { Preamble, SessionAnswer } from '../../run/sessions.ts'
import { type AnsweredScope, answeredScope } from './answered-scope.ts'
import { fromSessionFailure } from './http-failure.ts'
import { closedSignal, closing, fromFailure, keyOf, McpSession, requestOf, saidSignal } from './mcp-session.ts'

/** A request that is not answered yet. */
interface OpenRequest {
  readonly run: AnsweredRun
  readonly ordinal: number
  readonly token: unknown
}

/** Where a server puts out its messages. */
export interface ServerDouble {
  /** @param to The request that it answers or belongs to, if any. */
  says(message: RpcMessage, to: unknown): void
  /** A request has failed. Returns whether that was passed on; else it is said as an error of the protocol. */
  fails?(to: unknown, error: unknown): boolean
  close?(ended: EndedProcess): void
}

/** A session with an MCP server of which there are recordings, whoever opens it: in a run or outside of all runs. */
export class AnsweredSession {
  readonly #server: ServerDouble
  readonly #open: Preamble['open']
  readonly #session: McpSession
  /** The latest answer to each request. */
  readonly #known = new Map<string, SessionAnswer>()
  /** What the recorded server is called; the agent may not have been told yet. */
  #recordedName: string
  #isNamed = false
  /** Whether it is a session of a recording. */
  #isKnown = false
  readonly #users = new Map<AnsweredRun, number>()
  readonly #requests = new Map<unknown, OpenRequest>()
  readonly #asked = new Map<unknown, string>()
  #isClosed = false

  /** @param name What it is called if the server has no name. */
  constructor(server: ServerDouble, open: Preamble['open'], name: string, preambles: readonly Preamble[]) {
    this.#server = server
    this.#session = new McpSession(open, name)
    this.#open = open
    this.#recordedName = name
    this.learn(preambles)
  }

  /** There is more to know of how the session is opened. */
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

  /** The agent sends a message. @param key What a request is known by. Default: its id. */
  sends(message: RpcMessage, key: unknown = message.id): void {
    const { id, method, params } = message
    const scope = answeredScope()
    if (method !== undefined && isOfSession(method)) {
      const answers = this.#answersTo(scope, keyOf(method, params)) ?? this.#answersTo(scope, keyOf(method, {})) ?? []
      if (scope !== undefined) this.#uses(scope)
      if (id === undefined) return
      // A client asks from time to time whether the server is there.
      if (method === 'ping' && scope === undefined) return this.#later(scope, () => this.#says({ id, result: {} }, key))
      // The recorded server ended before it could answer, and so it does here.
      if (answers.length === 0 && opensSession(message) && this.#isKnown) return
      if (answers.length > 0)
        return this.#inPlace(scope, method, params, (index) => this.#answersFor(id, key, answers[index] ?? answers.at(-1)))
    }
    if (scope === undefined) {
      if (id === undefined || method === undefined) return
      const error = { code: -32_603, message: `goldenrun: ${method} was called outside of every run, where there is no recorded answer` }
      return this.#later(undefined, () => this.#says({ id, error }, key))
    }
    this.#sendsInRun(scope, message, key)
  }

  /** All answers that the run's recording has to a request, in order; or else the latest that is known. */
  #answersTo(scope: AnsweredScope | undefined, key: string): SessionAnswer[] | undefined {
    const own = (scope?.run.sessions.preamblesOf(this.#open) ?? []).flatMap(({ answers }) =>
      answers.filter(({ method, params }) => keyOf(method, params) === key),
    )
    const latest = this.#known.get(key)
    return own.length > 0 ? own : latest && [latest]
  }

  /** Answers a request of the session. The server may say its name. */
  #answersFor(id: RpcMessage['id'], key: unknown, known: SessionAnswer | undefined): void {
    if (known === undefined) return
    this.#isNamed ||= this.#session.name(known.result)
    for (const [run] of this.#users) this.#hearsFrom(run)
    if (known.failure !== undefined && this.#server.fails?.(key, fromSessionFailure(known.failure)) === true) return
    this.#says({ ...(id === undefined ? {} : { id }), ...outcomeOf(known) }, key)
  }

  #sendsInRun(scope: AnsweredScope, { id, method, ...message }: RpcMessage, key: unknown): void {
    const { run, owner } = scope
    // A client of HTTP need not open a session.
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

  /** Returns how many requests the run has made before. From the first time on it hears what the recorded server said to it. */
  #uses(scope: AnsweredScope): number {
    const { run } = scope
    const before = this.#users.get(run)
    if (before !== undefined) return before
    // A session outlives replays, and must not hold them.
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

  #says(message: Omit<RpcMessage, 'jsonrpc'>, to: unknown): void {
    if (!this.#isClosed) this.#server.says({ jsonrpc: '2.0', ...message }, to)
  }

  /** The agent closes it. */
  closes(): void {
    this.#inPlace(answeredScope(), closing, undefined, () => this.#close({ code: 0, signal: null }))
  }

  #close(ended: EndedProcess): void {
    this.#isClosed = true
    this.#server.close?.(ended)
  }

  /** Where the recorded run had the answer; else in the next turn of the event loop. @param answer Is told which of several it is. */
  #inPlace(scope: AnsweredScope | undefined, method: string, params: unknown, answer: (index: number) => void): void {
    const place = scope?.run.sessions.inPlace(requestOf(this.#open, method, params))
    const give = (): void => answer(place?.answer ?? Infinity)
    if (place?.later === undefined || scope === undefined) this.#later(scope, give)
    else place.later(() => runInScope(scope, give))
  }

  /** In the next turn of the event loop; a run waits for it. */
  #later(scope: AnsweredScope | undefined, action: () => void): void {
    const release = scope?.run.busy()
    realTimers.setImmediate(() => {
      action()
      release?.()
    })
  }
}

/** What a server says that answers nothing, as a signal has it. */
interface Said {
  readonly message: RpcMessage
  /** Of a progress: the number of its request within the run. */
  readonly request?: number
}

function outcomeOf(answer: SessionAnswer): Pick<RpcMessage, 'result' | 'error'> {
  const error = answer.error ?? answer.failure
  return error === undefined ? { result: answer.result } : { error: fromFailure(error) }
}
