import { types } from 'node:util'
import { currentScope, runBelow } from './scope.ts'

/**
 * Runs `body` against the real world, in recordings and replays: what it calls and reads is neither recorded nor answered. A replay waits
 * only for the promise that it returns, so read a stream to its end within `body`. Outside of a run it just runs `body`.
 *
 * @param reason Why this has to stay live; kept in the trace as a note for its readers.
 * @param body What to run. Its result or error is passed through.
 */
export function live<Result>(reason: string, body: () => Result): Result {
  const scope = currentScope()
  if (scope === undefined) return body()
  const { run } = scope
  run.note('live', reason)
  const result = runBelow(scope, { live: reason }, body)
  if (run.mode === 'replay' && types.isPromise(result)) {
    const release = run.busy()
    result.then(release, release)
  }
  return result
}
