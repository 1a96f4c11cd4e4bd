import { runInScope, type Scope } from '../../run/scope.ts'
import { type GrpcListener, type GrpcMetadata, metadataOf, type SendContext, type StartedCall } from './grpc-call.ts'

/** A call of telemetry in a replay: it succeeds with an empty message, and goes nowhere. */
export class MutedCall implements StartedCall {
  readonly #scope: Scope
  readonly #metadata: GrpcMetadata

  constructor(scope: Scope, metadata: GrpcMetadata) {
    this.#scope = scope
    this.#metadata = metadata
  }

  start(listener: GrpcListener): void {
    const none = metadataOf([], this.#metadata)
    process.nextTick(() =>
      runInScope(this.#scope, () => {
        listener.onReceiveMetadata(none)
        listener.onReceiveMessage(Buffer.alloc(0))
        listener.onReceiveStatus({ code: 0, details: 'OK', metadata: none })
      }),
    )
  }

  send(_go: () => void, { callback }: SendContext): void {
    if (callback !== undefined) process.nextTick(callback)
  }

  end(): void {}
  cancel(): void {}
  read(): void {}
}
