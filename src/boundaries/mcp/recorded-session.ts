import { isOfSession, progressTokenOf, type RpcMessage } from '../../models/mcp.ts'
import { type AnsweredScope, answeredScope, type RecordedScope, recordedScope, type Scope } from '../../run/scope.ts'
import { AnsweredSession, type ServerDouble } from './answered-session.ts'
import { Arrival } from '../arrival.ts'
import { toSessionFailure } from './http-failure.ts'
import { closedSignal, closing, keyOf, McpSession, requestOf, saidSignal, toRpcFailure } from './mcp-session.ts'
import type { EndedProcess } from '../../run/processes.ts'
import { omitUndefined } from '../../trace/json.ts'
import { type Preamble, type SessionAnswer, sessionSignal, type SessionSignal } from '../../run/sessions.ts'

/** A run's request that the server has not answered. */
interface OpenRequest {
  readonly arrival: Arrival
  readonly scope: RecordedScope
  readonly token: unknown
  /** Counts the requests of its run in this session, from 1. */
  readonly ordinal: number
}

/**
 * A real session with an MCP server, over any transport. Each request is a step of the run that makes it, whichever run opened the session.
 * The messages that open the session belong to no run; each run that uses the session records them as a preamble.
 */
export class RecordedSession {
  readonly #open: Preamble['open']
  readonly #session: McpSession
  readonly #opener: RecordedScope | undefined
  /** The runs that have used the session, with the number of their requests. */
  readonly #users = new Map<RecordedScope['run'], number>()
  /** How many answers to each request a run's preambles have. */
  readonly #known = new WeakMap<RecordedScope['run'], Map<string, number>>()
  readonly #requests = new Map<unknown, OpenRequest>()
  /** Requests that belong to the session, with the run that makes them. */
  readonly #opening = new Map<unknown, { readonly message: RpcMessage; readonly run: RecordedScope['run'] | undefined }>()
  /** The server's requests, by their ids. */
  readonly #asked = new Map<unknown, string>()
  readonly #answers: ServerDouble
  #answered: AnsweredSession | undefined

  /**
   * @param opener The run that opens the session; undefined outside of every run.
   * @param answers Delivers the answers to a replay that uses the real session.
   */
  constructor(open: Preamble['open'], program: string, opener: RecordedScope | undefined, answers: ServerDouble) {
    this.#open = open
    this.#session = new McpSession(open, program)
    this.#opener = opener
    this.#answers = answers
    if (opener !== undefined) this.#uses(opener.run)
  }

  /**
   * The agent sends a message. The server must not receive it in a replay.
   *
   * @param key Identifies a request. Default: its id.
   */
  sends(message: RpcMessage, key: unknown = message.id): void {
    const replayed = answeredScope()
    if (replayed !== undefined) return this.#answeredFor(replayed).sends(message, key)
    const { id, method, params } = message
    const scope = recordedScope()
    const ordinal = scope === undefined ? 0 : this.#uses(scope.run)
    if (method !== undefined && isOfSession(method)) {
      if (id !== undefined) this.#opening.set(key, { message, run: scope?.run })
      return
    }
    if (scope === undefined) return
    const { run, owner } = scope
    if (method === undefined) {
      const asked = this.#asked.get(id) ?? 'request'
      this.#asked.delete(id)
      run.callFunction(this.#session.toAnswer(owner, asked, message), () => undefined)
    } else if (id === undefined) run.callFunction(this.#session.toCall(owner, method, params), () => undefined)
    else {
      const arrival = new Arrival()
      this.#users.set(run, ordinal + 1)
      this.#requests.set(key, { arrival, scope, token: progressTokenOf(params), ordinal: ordinal + 1 })
      run.callFunction(this.#session.toCall(owner, method, params), () => arrival)
    }
  }

  /** The server sends a message. Returns the scope in which the agent receives it, if it belongs to a run. */
  hears(message: RpcMessage, key: unknown = message.id, sessionId?: string): Scope | undefined {
    const { method } = message
    if (method !== undefined) return this.#hearsAsked(method, message)
    const opening = this.#opening.get(key)
    this.#opening.delete(key)
    if (opening !== undefined) this.#learns(opening.message, { ...message, ...omitUndefined({ sessionId }) }, opening.run)
    const request = this.#requests.get(key)
    this.#requests.delete(key)
    if (message.error !== undefined) request?.arrival.fail(toRpcFailure(message.error))
    else request?.arrival.settle(message.result)
    return undefined
  }

  /** A request fails before the server can answer it. */
  fails(key: unknown, error: unknown): void {
    const opening = this.#opening.get(key)
    if (opening !== undefined) this.#learns(opening.message, { failure: toSessionFailure(error) }, opening.run)
    this.#requests.get(key)?.arrival.fail(error)
    this.leaves(key)
  }

  /** The agent no longer waits for an answer. */
  leaves(key: unknown): void {
    this.#requests.delete(key)
    this.#opening.delete(key)
  }

  /** The server ends. @param run The run that ended it; undefined if it ended by itself or was ended outside of every run. */
  ends(ended: EndedProcess, isAsked: boolean, run: RecordedScope['run'] | undefined): void {
    if (run?.closed === false) run.signal(sessionSignal, { request: requestOf(this.#open, closing), answer: 0 } satisfies SessionSignal)
    if (!isAsked) for (const user of this.#openUsers()) user.signal(closedSignal(this.#session.server), ended)
  }

  /** Records a completed exchange of the session itself. */
  #learns(
    { method = '', params }: RpcMessage,
    answer: Pick<SessionAnswer, 'result' | 'error' | 'failure' | 'sessionId'>,
    run: RecordedScope['run'] | undefined,
  ): void {
    const added = this.#session.learn(method, params, answer)
    const key = keyOf(method, params)
    if (added !== undefined)
      for (const user of this.#openUsers()) {
        user.preamble(added)
        const known = this.#known.get(user)
        known?.set(key, (known.get(key) ?? 0) + 1)
      }
    if (run?.closed !== false) return
    const index = (this.#known.get(run)?.get(key) ?? 1) - 1
    run.signal(sessionSignal, { request: requestOf(this.#open, method, params), answer: index } satisfies SessionSignal)
  }

  #hearsAsked(method: string, message: RpcMessage): Scope | undefined {
    const { id, params } = message
    if (id !== undefined) this.#asked.set(id, method)
    const requests = [...this.#requests.values()].filter(({ scope }) => !scope.run.closed)
    const token = (params as { readonly progressToken?: unknown } | undefined)?.progressToken
    const of = token === undefined ? undefined : requests.find((request) => request.token === token)
    const [first] = of === undefined ? requests : [of]
    // A server's request goes to one run. A notification that names no request goes to all.
    const hearing = first === undefined || (id === undefined && of === undefined) ? this.#openUsers() : [first.scope.run]
    for (const run of hearing)
      run.signal(saidSignal(this.#session.server), { message, ...(of === undefined ? {} : { request: of.ordinal }) })
    return first?.scope ?? (this.#opener?.run.closed === false ? this.#opener : undefined)
  }

  /** A replay uses a session that is really open: it receives the recorded messages, and the server receives nothing. */
  #answeredFor({ run }: AnsweredScope): AnsweredSession {
    this.#answered ??= new AnsweredSession(this.#answers, this.#open, this.#session.server, [this.#session.preamble])
    this.#answered.learn(run.sessions.preamblesOf(this.#open))
    return this.#answered
  }

  /** Returns how many requests the run has made before. The first call writes the session's preamble to the run's trace. */
  #uses(run: RecordedScope['run']): number {
    const before = this.#users.get(run)
    if (before !== undefined) return before
    for (const [user] of this.#users) if (user.closed) this.#users.delete(user)
    this.#users.set(run, 0)
    const { preamble } = this.#session
    this.#known.set(run, new Map(preamble.answers.map(({ method, params }) => [keyOf(method, params), 1])))
    run.preamble(preamble)
    return 0
  }

  #openUsers(): RecordedScope['run'][] {
    return [...this.#users.keys()].filter((run) => !run.closed)
  }
}
