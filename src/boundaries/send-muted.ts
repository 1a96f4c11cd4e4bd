import { type RecordedScope, runBelow } from '../run/scope.ts'

/** Sends a request that is left out of the trace. */
export function sendMuted<Result>(scope: RecordedScope, send: () => Result): Result {
  scope.run.countMuted()
  return runBelow(scope, { captured: true }, send)
}
