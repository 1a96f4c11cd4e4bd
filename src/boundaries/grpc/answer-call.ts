import { agentDoesFor } from '../agent-step.ts'
import type { EndedProcess, EndedRpc, ProcessSink } from '../../run/processes.ts'
import { type AnsweredScope, runBelow, runInScope } from '../../run/scope.ts'
import type { HeaderPairs } from '../../trace/http-facts.ts'
import {
  type GrpcCall,
  type GrpcListener,
  type GrpcMetadata,
  type GrpcStatus,
  limitOf,
  metadataOf,
  pairsOf,
  type SendContext,
  type StartedCall,
  statusCodes,
  stepNameOf,
} from './grpc-call.ts'
import { type ReadMessage, readMessage } from './read-message.ts'
import { CallMessages } from './call-messages.ts'
import { writeMessage } from './write-message.ts'

/** A call that is never sent: the trace answers it. */
export class AnsweredCall implements StartedCall, ProcessSink {
  readonly #opener: AnsweredScope
  readonly #call: GrpcCall
  readonly #name: string
  readonly #metadata: GrpcMetadata
  readonly #limit: number | undefined
  readonly #sent = new CallMessages(
    (message) => this.#opens(message),
    (what, input) => this.#does(what, input),
  )
  #listener: GrpcListener | undefined
  #isOver = false
  /** Further actions of the agent on a cancelled call have no effect. */
  #isCancelled = false

  constructor(opener: AnsweredScope, call: GrpcCall, metadata: GrpcMetadata) {
    this.#opener = opener
    this.#call = call
    this.#name = stepNameOf(call.method)
    this.#metadata = metadata
    this.#limit = limitOf(call, opener.run.now())
    this.#sent.openSoon()
  }

  listen(listener: GrpcListener): void {
    this.#listener = listener
  }

  send(_go: () => void, { callback }: SendContext, message: Uint8Array): void {
    this.#sent.sends(readMessage(message), callback === undefined)
    if (callback !== undefined) process.nextTick(callback)
  }

  end(): void {
    this.#sent.ends()
  }

  cancel(_go: () => void, code: number, details: string): void {
    if (this.#isOver) return
    this.#sent.open()
    this.#does('cancel', { code, details })
  }

  read(): void {
    // Each part of the answer reaches the agent at its recorded place.
  }

  output(stream: string | undefined, bytes: Uint8Array): void {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString())
    if (stream === 'metadata') this.#tell((listener) => listener.onReceiveMetadata(metadataOf(value as HeaderPairs, this.#metadata)))
    else this.#tell((listener) => listener.onReceiveMessage(Buffer.from(writeMessage(value))))
  }

  close(ended: EndedProcess | EndedRpc): void {
    const { code, details = '', metadata = [] } = ended as Partial<EndedRpc>
    this.#settle({ code: code ?? statusCodes.unknown, details, metadata: metadataOf(metadata, this.#metadata) })
  }

  fail(error: unknown): void {
    const cause = error instanceof Error ? error : new Error(String(error))
    // Like a connection, it calls the client in a later tick.
    process.nextTick(() =>
      this.#settle({ code: statusCodes.unavailable, details: cause.message, metadata: metadataOf([], this.#metadata), cause }),
    )
  }

  /** @param value The messages, or the single message of a call that has one, in the form in which they are read: `{ "1": "ord_1" }`. */
  answer(value: unknown): void {
    for (const message of Array.isArray(value) ? (value as unknown[]) : [value]) {
      const bytes = Buffer.from(writeMessage(message))
      this.#tell((listener) => listener.onReceiveMessage(bytes))
    }
    this.close({ code: statusCodes.ok })
  }

  #opens(message: ReadMessage | undefined): void {
    const { run, owner } = this.#opener
    const input = message === undefined ? {} : { message }
    run.answerProcess({ owner, name: this.#name, input, limit: this.#limit, metadata: pairsOf(this.#metadata) }, this)
  }

  #does(what: string, input: unknown): void {
    if (this.#isOver || this.#isCancelled) return
    this.#isCancelled = what === 'cancel'
    agentDoesFor(this.#opener, `${this.#name} ${what}`, input)
  }

  #tell(tell: (listener: GrpcListener) => void): void {
    const listener = this.#listener
    if (listener !== undefined && !this.#isOver) runInScope(this.#opener, () => tell(listener))
  }

  #settle(status: GrpcStatus): void {
    if (this.#isOver) return
    // The channel counts its calls, so its watchers are notified.
    runBelow(this.#opener, {}, () => {
      for (const watch of this.#call.statusWatchers ?? []) watch(status)
    })
    this.#tell((listener) => {
      this.#isOver = true
      listener.onReceiveStatus(status)
    })
  }
}
