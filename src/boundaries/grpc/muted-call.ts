import { runInScope, type Scope } from '../../run/scope.ts'
import { type GrpcMetadata, metadataOf, type StartedCall } from './grpc-call.ts'

/** A telemetry call in a replay: it succeeds with an empty message and goes nowhere. */
export function mutedCall(scope: Scope, metadata: GrpcMetadata): StartedCall {
  return {
    listen(listener) {
      const none = metadataOf([], metadata)
      process.nextTick(() =>
        runInScope(scope, () => {
          listener.onReceiveMetadata(none)
          listener.onReceiveMessage(Buffer.alloc(0))
          listener.onReceiveStatus({ code: 0, details: 'OK', metadata: none })
        }),
      )
    },
    send(_go, { callback }) {
      if (callback !== undefined) process.nextTick(callback)
    },
    end() {},
    cancel() {},
    read() {},
  }
}
