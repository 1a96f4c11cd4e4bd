import type { AnsweredRun } from '../../run/active-run.ts'
import type { ConnectionSink } from '../../run/connections.ts'
import { type AnsweredScope, answeredScope, runInScope } from '../../run/scope.ts'
import { agentDoes } from '../agent-step.ts'
import type { DescribedConnection } from './describe-connection.ts'
import type { Message } from './web-socket-message.ts'
import { fromPiece, fromSaid, type Said, toSentStep } from './recorded-form.ts'

type Say = (message: Message | undefined) => void

/** The use of a connection that a replay did not open: its run's messages are steps, and it receives what the recorded run received. */
export class AnsweredUse {
  readonly #described: DescribedConnection
  readonly #say: Say
  readonly #users = new WeakMap<AnsweredRun, OpenedEarlier | undefined>()

  /** @param say Passes the client a message; undefined for the end. */
  constructor(described: DescribedConnection, say: Say) {
    this.#described = described
    this.#say = say
  }

  /** The agent sends a message, in the run or outside of it. */
  sends(message: Message): void {
    const scope = answeredScope()
    if (scope === undefined) return
    const { what, input } = toSentStep(this.#described.name, message)
    this.hears(scope)
    const does = (): void => agentDoes(scope, `${this.#described.name} ${what}`, input)
    const opened = this.#users.get(scope.run)
    if (opened === undefined) does()
    else opened.whenOpen(does)
  }

  /** From now on, the run receives what the recorded run received. If the recorded run opened the connection, the replayed run counts as its opener. */
  hears({ run, owner }: AnsweredScope): void {
    if (this.#users.has(run)) return
    const { name, input, headers, open } = this.#described
    const say: Say = (message) => runInScope({ run, owner: 0 }, () => this.#say(message))
    const opened = run.sessions.preamblesOf(open).length > 0 ? undefined : new OpenedEarlier(say)
    this.#users.set(run, opened)
    if (opened === undefined) run.sessions.onSignal(name, (value) => say(fromSaid(value as Said)))
    else run.answerConnection({ owner, name, input, headers }, opened)
  }
}

/** A connection that the recorded run opened and that is open already. Its messages wait for the recorded opening. */
class OpenedEarlier implements ConnectionSink {
  readonly #say: Say
  #waiting: (() => void)[] | undefined = []

  constructor(say: Say) {
    this.#say = say
  }

  whenOpen(send: () => void): void {
    if (this.#waiting === undefined) send()
    else this.#waiting.push(send)
  }

  output(stream: string, bytes: Uint8Array): void {
    if (stream === 'answer') {
      const sends = this.#waiting ?? []
      this.#waiting = undefined
      for (const send of sends) send()
    } else if (stream === 'end') this.#say(undefined)
    else if (stream !== 'body') {
      const message = fromPiece(stream, bytes)
      if (message !== undefined) this.#say(message)
    }
  }

  close(): void {
    // The end has been delivered already.
  }

  fail(): void {
    this.#say(undefined)
  }
}
