import type { GrpcListener, SendContext } from './grpc-call.ts'

/** A call of a run. Each method is told what the client does; `go` does it for real. */
export interface StartedCall {
  start(listener: GrpcListener, go: (listener: GrpcListener) => void): void
  send(context: SendContext, message: Uint8Array, go: () => void): void
  /** Nothing more is sent. */
  end(go: () => void): void
  cancel(code: number, details: string, go: () => void): void
  /** The next message may arrive. */
  read(go: () => void): void
}
