import type { CapturedProcess } from '../../run/processes.ts'
import { currentScope, type RecordedScope, runBelow, runInScope, runOutside } from '../../run/scope.ts'
import { agentDoesFor, attemptFor } from '../agent-step.ts'
import {
  type GrpcCall,
  type GrpcListener,
  type GrpcMetadata,
  limitOf,
  pairsOf,
  type SendContext,
  type StartedCall,
  stepNameOf,
} from './grpc-call.ts'
import { line, type ReadMessage, readMessage } from './read-message.ts'
import { CallMessages } from './call-messages.ts'

/** A call that is sent and recorded. */
export class RecordedCall implements StartedCall {
  readonly #opener: RecordedScope
  readonly #name: string
  readonly #metadata: GrpcMetadata
  readonly #limit: number | undefined
  readonly #sent = new CallMessages(
    (message) => this.#attempt(() => this.#opens(message)),
    (what, input) => this.#does(what, input),
  )
  #captured: CapturedProcess | undefined
  #isOver = false
  /** Further actions of the agent on a cancelled call have no effect. */
  #isCancelled = false

  /** @param isMuted Whether nothing of the call is recorded, as for telemetry. */
  constructor(opener: RecordedScope, call: GrpcCall, metadata: GrpcMetadata, isMuted: boolean) {
    this.#isOver = isMuted
    this.#opener = opener
    this.#name = stepNameOf(call.method)
    this.#metadata = metadata
    this.#limit = limitOf(
      call,
      runOutside(() => Date.now()),
    )
    this.#sent.openSoon()
  }

  listen(listener: GrpcListener, go: (listener: GrpcListener) => void): void {
    const tell = (record: (sink: CapturedProcess) => void, pass: () => void): void => {
      this.#attempt(() => {
        this.#sent.open()
        if (this.#captured !== undefined && !this.#isOver) record(this.#captured)
      })
      // The agent's scope receives the answer, whichever connection it arrives over.
      runInScope(this.#opener, pass)
    }
    const recorded: GrpcListener = {
      onReceiveMetadata: (metadata) =>
        tell(
          (sink) => sink.output('metadata', line(pairsOf(metadata))),
          () => listener.onReceiveMetadata(metadata),
        ),
      onReceiveMessage: (message) =>
        tell(
          (sink) => sink.output('message', line(readMessage(message))),
          () => listener.onReceiveMessage(message),
        ),
      onReceiveStatus: (status) =>
        tell(
          (sink) => {
            this.#isOver = true
            const { code, details, metadata } = status
            const trailers = pairsOf(metadata)
            sink.close({ code, ...(details === '' ? {} : { details }), ...(trailers.length === 0 ? {} : { metadata: trailers }) })
          },
          () => listener.onReceiveStatus(status),
        ),
    }
    this.#below(() => go(recorded))
  }

  send(go: () => void, context: SendContext, message: Uint8Array): void {
    this.#attempt(() => this.#sent.sends(readMessage(message), context.callback === undefined))
    this.#below(go)
  }

  end(go: () => void): void {
    this.#attempt(() => this.#sent.ends())
    this.#below(go)
  }

  cancel(go: () => void, code: number, details: string): void {
    // At a deadline, the client itself cancels, below the boundary.
    if (currentScope() !== undefined)
      this.#attempt(() => {
        this.#sent.open()
        this.#does('cancel', { code, details })
      })
    this.#below(go)
  }

  read(go: () => void): void {
    this.#below(go)
  }

  #opens(message: ReadMessage | undefined): void {
    if (this.#isOver) return
    const { run, owner } = this.#opener
    const input = message === undefined ? {} : { message }
    this.#captured = run.captureProcess({ owner, name: this.#name, input, limit: this.#limit, metadata: pairsOf(this.#metadata) })
  }

  #does(what: string, input: unknown): void {
    if (this.#isOver || this.#isCancelled) return
    this.#isCancelled = what === 'cancel'
    agentDoesFor(this.#opener, `${this.#name} ${what}`, input)
  }

  /** Runs the client's own work: names, connections, retries. */
  #below(go: () => void): void {
    runBelow(this.#opener, {}, go)
  }

  #attempt(record: () => void): void {
    attemptFor(this.#opener, () => this.#name, record)
  }
}
