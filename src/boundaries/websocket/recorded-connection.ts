import type { Socket } from 'node:net'
import type { RecordedRun } from '../../run/active-run.ts'
import type { ConnectionAnswer, ConnectionSink, EndedConnection } from '../../run/connections.ts'
import { answeredScope, currentScope, type RecordedScope, recordedScope, type Scope } from '../../run/scope.ts'
import type { Preamble } from '../../run/sessions.ts'
import { agentDoes } from '../agent-step.ts'
import { refuseOutside } from '../contact/guards.ts'
import { isFree, noteContact } from '../contact/make-contact.ts'
import { keptAnswer } from './answer-headers.ts'
import { AnsweredUse } from './answered-use.ts'
import { type DescribedConnection, readExtensions } from './describe-connection.ts'
import { FollowedSocket, type SocketWatcher } from './follow-socket.ts'
import { followedSockets } from './sent-messages.ts'
import { type Message, readClosing } from './web-socket-message.ts'
import { parsedJson, type Said, toPiece, toSaid, toSentStep } from './recorded-form.ts'

/** A run that sends messages over a connection that it did not open. */
interface User {
  readonly scope: RecordedScope
  /** The ids in its messages. */
  readonly ids: Set<unknown>
}

/** A real connection: a step of the run that opens it. Messages that other runs send over it are steps of those runs. */
export class RecordedConnection implements SocketWatcher {
  hearing: Scope | undefined
  readonly #described: DescribedConnection
  readonly #opener: RecordedScope | undefined
  readonly #sink: ConnectionSink | undefined
  readonly #users = new Map<RecordedRun, User>()
  readonly #idsOfOpener = new Set<unknown>()
  #answer: ConnectionAnswer = { status: 0, headers: [] }
  #ended: EndedConnection = {}
  #socket: FollowedSocket | undefined
  #answered: AnsweredUse | undefined

  /** @param opener The run that opens the connection; undefined outside of every run. */
  constructor(described: DescribedConnection, opener: RecordedScope | undefined) {
    this.#described = described
    this.#opener = opener
    this.hearing = opener
    const { name, input, headers } = described
    this.#sink = opener?.run.captureConnection({ owner: opener.owner, name, input, headers })
  }

  /** Records the answer to the handshake. */
  answered(answer: ConnectionAnswer): void {
    this.#answer = keptAnswer(answer)
    this.#sink?.output('answer', Buffer.from(JSON.stringify(this.#answer)))
    if (answer.status !== 101) this.#ended = { status: answer.status }
  }

  /** Records a piece of the answer that refuses the handshake. */
  refuses(bytes: Uint8Array): void {
    this.#sink?.output('body', bytes)
  }

  /** Follows the socket of the open connection. */
  follow(socket: Socket): FollowedSocket {
    this.#socket = new FollowedSocket(socket, readExtensions(this.#answer.headers), this)
    followedSockets.set(socket, this.#socket.sent)
    return this.#socket
  }

  /** The client abandons the connection before it is open, for example at its own time limit. */
  leaves(): void {
    this.#sink?.close({ ...this.#ended, aborted: true })
  }

  hears(message: Message | undefined): void {
    if (message?.kind === 'close') this.#ended = endedBy(message)
    const ids = message === undefined ? new Set() : idsIn(message)
    const users = this.#hearingUsers(ids)
    for (const { scope } of users) scope.run.signal(this.#described.name, message === undefined ? ended : toSaid(message))
    const opener = this.#opener?.run.closed === false ? this.#opener : undefined
    this.hearing = opener ?? users.at(-1)?.scope
    if (message === undefined) this.#sink?.output('end', Buffer.from('end'))
    else {
      const { stream, bytes } = toPiece(message)
      this.#sink?.output(stream, bytes)
    }
  }

  sends(message: Message): void {
    if (answeredScope() !== undefined) return this.#answeredUse().sends(message)
    const scope = recordedScope()
    if (scope === undefined) return
    const { what, input } = toSentStep(this.#described.name, message)
    this.#uses(scope, message)
    agentDoes(scope, `${this.#described.name} ${what}`, input)
  }

  terminates(): void {
    const scope = recordedScope()
    if (scope !== undefined) agentDoes(scope, `${this.#described.name} terminate`, [])
  }

  closes(): void {
    this.#sink?.close(this.#ended)
  }

  fails(error: unknown): void {
    this.#sink?.fail(error)
  }

  admits(): 'sent' | 'kept' | Error {
    const scope = currentScope()
    if (scope === undefined) return isFree() ? 'sent' : (refuseOutside(this.#contact) ?? 'sent')
    return scope.run.mode === 'replay' && !scope.run.live.includes(this.#described.address) ? 'kept' : 'sent'
  }

  loses(): void {
    const run = recordedScope()?.run ?? this.#opener?.run
    if (run !== undefined) noteContact(run, this.#contact)
  }

  get #contact(): { readonly door: string; readonly host: string } {
    return { door: 'websocket', host: this.#described.address }
  }

  /** Writes the preamble to the trace of a run that did not open the connection. From now on, that run receives what arrives. */
  #uses(scope: RecordedScope, message: Message): void {
    const { run } = scope
    if (run === this.#opener?.run) {
      for (const id of idsIn(message)) this.#idsOfOpener.add(id)
      return
    }
    const known = this.#users.get(run)
    if (known === undefined) run.preamble(this.#preamble)
    const ids = new Set([...(known?.ids ?? []), ...idsIn(message)])
    // The last user in the map is the latest sender.
    this.#users.delete(run)
    this.#users.set(run, { scope, ids })
  }

  /** Returns the users whose ids a message has. If it has no known ids, not even the opener's, returns all users. */
  #hearingUsers(ids: ReadonlySet<unknown>): readonly User[] {
    for (const [run] of this.#users) if (run.closed) this.#users.delete(run)
    const users = [...this.#users.values()]
    const meant = users.filter((user) => [...ids].some((id) => user.ids.has(id)))
    for (const user of meant) for (const id of ids) user.ids.add(id)
    return meant.length > 0 || [...ids].some((id) => this.#idsOfOpener.has(id)) ? meant : users
  }

  get #preamble(): Preamble {
    const { open, name } = this.#described
    return { open, server: name, answers: [{ method: 'upgrade', params: {}, result: this.#answer }] }
  }

  /** A replay uses the real connection; the server receives nothing of it. */
  #answeredUse(): AnsweredUse {
    this.#answered ??= new AnsweredUse(this.#described, (message) => this.#socket?.say(message))
    return this.#answered
  }
}

function endedBy({ payload }: Message): EndedConnection {
  const { code } = readClosing(payload)
  return code === undefined ? {} : { code }
}

const ended: Said = { kind: 'end' }

/** The maximum depth at which ids are searched. */
const deepest = 4

/** Returns the ids in a JSON message, which match answers to requests. */
function idsIn({ kind, payload }: Message): Set<unknown> {
  const ids = new Set<unknown>()
  if (kind === 'text') collect(parsedJson(payload.toString()), ids, 0)
  return ids
}

function collect(value: unknown, ids: Set<unknown>, depth: number): void {
  if (typeof value !== 'object' || value === null || depth > deepest) return
  for (const [key, field] of Object.entries(value)) {
    if (/(?:^|[_-])id$|[a-z]Id$/i.test(key) && (typeof field === 'string' || typeof field === 'number')) ids.add(field)
    else collect(field, ids, depth + 1)
  }
}
