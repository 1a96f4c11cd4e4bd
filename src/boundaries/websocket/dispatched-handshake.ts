import type { ConnectionAnswer } from '../../run/connections.ts'
import { AnswerController } from '../http/answer-dispatch.ts'
import type { DispatchHandler } from '../http/undici-types.ts'
import { type Handshake, openHeaders } from './handshake.ts'
import type { MemorySocket } from './memory-socket.ts'

/** The handshake of an undici client, whose handler is called as undici does. */
export class DispatchedHandshake implements Handshake {
  readonly isSecure: boolean
  readonly isWritten = false
  readonly #key: string
  readonly #controller: AnswerController
  #isOpen = false

  constructor(key: string, isSecure: boolean, handler: DispatchHandler) {
    this.#key = key
    this.isSecure = isSecure
    this.#controller = new AnswerController('GET', handler, (callback) => callback(), false)
  }

  start(): void {
    this.#controller.start()
  }

  answer(answer: ConnectionAnswer, { socket }: MemorySocket): void {
    const { status } = answer
    if (status !== 101) return this.#controller.head(answer)
    this.#isOpen = true
    const pairs = openHeaders(answer, this.#key).map(([name, value]) => [name.toLowerCase(), value] as const)
    this.#controller.upgrade(status, pairs, socket)
  }

  body(bytes: Buffer): void {
    this.#controller.data(bytes)
  }

  end(): void {
    this.#controller.end()
  }

  fail(error: Error, memory: MemorySocket): void {
    if (this.#isOpen) memory.fail(error)
    else this.#controller.fail(error)
  }
}
