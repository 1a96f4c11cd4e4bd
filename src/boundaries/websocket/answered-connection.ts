import type { AsyncResource } from 'node:async_hooks'
import { inLaterTurn } from '../contact/make-contact.ts'
import { callSite, captureTrail } from '../../run/call-site.ts'
import type { ConnectionAnswer, ConnectionSink, EndedConnection } from '../../run/connections.ts'
import { type AnsweredScope, answeredScope, contextIn } from '../../run/scope.ts'
import { agentDoes } from '../agent-step.ts'
import { replayedAnswer } from './answer-headers.ts'
import { AnsweredUse } from './answered-use.ts'
import { type DescribedConnection, readExtensions } from './describe-connection.ts'
import type { Handshake } from './handshake.ts'
import { MemorySocket, type MemoryWatcher } from './memory-socket.ts'
import { frameOf, type Message } from './web-socket-message.ts'
import { fromPiece, toSentStep } from './recorded-form.ts'
import { followedSockets, SentMessages } from './sent-messages.ts'

/** A replay's connection to nothing. Its client receives what the recorded client received. */
export class AnsweredConnection implements ConnectionSink, MemoryWatcher {
  readonly memory: MemorySocket
  readonly #described: DescribedConnection
  readonly #opener: AnsweredScope
  readonly #context: AsyncResource
  readonly #handshake: Handshake
  #sent: SentMessages | undefined
  #use: AnsweredUse | undefined
  #hasEnded = false
  #isOpening = true

  constructor(described: DescribedConnection, opener: AnsweredScope, handshake: Handshake) {
    this.#described = described
    this.#opener = opener
    this.#context = contextIn(opener)
    this.#handshake = handshake
    this.memory = new MemorySocket(this, handshake)
  }

  /** The agent opens the connection. */
  open(): void {
    const { name, input, headers } = this.#described
    this.#opener.run.answerConnection({ owner: this.#opener.owner, name, input, headers }, this)
    this.#isOpening = false
  }

  output(stream: string, bytes: Uint8Array): void {
    this.#inRun(() => {
      if (stream === 'answer') this.#answers(JSON.parse(Buffer.from(bytes).toString()) as ConnectionAnswer)
      else if (stream === 'body') this.#handshake.body(Buffer.from(bytes), this.memory)
      else if (stream === 'end') this.#ends()
      else this.#says(fromPiece(stream, bytes))
    })
  }

  close({ status, aborted }: EndedConnection): void {
    this.#hasEnded = true
    this.#inRun(() => {
      if (status !== undefined && aborted !== true) this.#handshake.end(this.memory)
      else this.memory.socket.destroy()
      this.memory.letClose()
    })
  }

  fail(error: unknown): void {
    this.#hasEnded = true
    const failure = error instanceof Error ? error : new Error(String(error))
    const fail = (): void => this.#inRun(() => this.#handshake.fail(failure, this.memory))
    if (this.#isOpening) inLaterTurn(this.#opener.run, fail)
    else fail()
  }

  write(bytes: Buffer): void {
    this.#sent?.add(bytes)
  }

  destroy(isFailed: boolean): void {
    // It was abandoned before it was open.
    if (this.#sent === undefined) return this.memory.letClose()
    const isOver = isFailed || this.#hasEnded || this.#sent.isClosing
    if (!isOver && callSite(captureTrail().stack) !== undefined) this.#does('terminate', [])
  }

  #answers(recorded: ConnectionAnswer): void {
    const answer = replayedAnswer(recorded, this.#described.offered)
    if (answer.status === 101) {
      this.#sent = new SentMessages(readExtensions(answer.headers), (message) => this.#sends(message))
      followedSockets.set(this.memory.socket, this.#sent)
    }
    this.#handshake.answer(answer, this.memory)
  }

  #says(message: Message | undefined): void {
    if (message === undefined) return
    this.#sent?.heard(message)
    this.memory.say(frameOf(message))
  }

  #ends(): void {
    this.#hasEnded = true
    this.memory.end()
  }

  #sends(message: Message): void {
    const scope = answeredScope()
    if (scope !== undefined && scope.run !== this.#opener.run) return this.#usedLater().sends(message)
    const { what, input } = toSentStep(this.#described.name, message)
    this.#does(what, input)
  }

  #does(what: string, input: unknown): void {
    agentDoes(answeredScope() ?? this.#opener, `${this.#described.name} ${what}`, input)
  }

  /** Another replay uses the connection, after the opener's replay or alongside it. */
  #usedLater(): AnsweredUse {
    this.#use ??= new AnsweredUse(this.#described, (message) => (message === undefined ? this.#ends() : this.#says(message)))
    return this.#use
  }

  #inRun(body: () => void): void {
    this.#context.runInAsyncScope(body)
  }
}
