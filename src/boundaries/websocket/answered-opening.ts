import { realTimers } from '../../node/real-timers.ts'
import type { ConnectionAnswer } from '../../run/connections.ts'
import { type AnsweredScope, answeredScope, runInScope } from '../../run/scope.ts'
import type { Preamble } from '../../run/sessions.ts'
import { replayedAnswer } from './answer-headers.ts'
import { AnsweredUse } from './answered-use.ts'
import { type DescribedConnection, readExtensions } from './describe-connection.ts'
import type { Handshake } from './handshake.ts'
import { MemorySocket, type MemoryWatcher } from './memory-socket.ts'
import { frameOf, type Message } from './web-socket-message.ts'
import { followedSockets, SentMessages } from './sent-messages.ts'

/** A connection to nothing that recorded runs found open. It opens at once, in or outside of a run, and runs of replays use it. */
export class AnsweredOpening implements MemoryWatcher {
  readonly memory: MemorySocket
  readonly #use: AnsweredUse
  readonly #sent: SentMessages

  /** @param opener The run that opens the connection; undefined outside of every run. */
  constructor(described: DescribedConnection, opener: AnsweredScope | undefined, handshake: Handshake, preambles: readonly Preamble[]) {
    const answer = replayedAnswer(preambles.at(-1)?.answers[0]?.result as ConnectionAnswer, described.offered)
    this.memory = new MemorySocket(this, handshake)
    this.#use = new AnsweredUse(described, (message) => (message === undefined ? this.#ends() : this.#says(message)))
    this.#sent = new SentMessages(readExtensions(answer.headers), (message) => this.#sends(message))
    followedSockets.set(this.memory.socket, this.#sent)
    if (opener !== undefined) this.#use.hears(opener)
    const release = opener?.run.busy()
    realTimers.setImmediate(() => {
      const open = (): void => handshake.answer(answer, this.memory)
      if (opener === undefined) open()
      else runInScope(opener, open)
      release?.()
    })
  }

  write(bytes: Buffer): void {
    this.#sent.add(bytes)
  }

  destroy(): void {
    this.memory.letClose()
  }

  #sends(message: Message): void {
    if (answeredScope() !== undefined) return this.#use.sends(message)
    // Outside of runs nothing arrives except the end.
    if (message.kind !== 'close') return
    realTimers.setImmediate(() => {
      this.#says(message)
      this.#ends()
    })
  }

  #says(message: Message): void {
    this.#sent.heard(message)
    this.memory.say(frameOf(message))
  }

  #ends(): void {
    this.memory.letClose()
    this.memory.end()
  }
}
