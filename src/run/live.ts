import { types } from 'node:util'
import { callSite, printCallSite } from './call-site.ts'
import { currentScope, runBelow } from './scope.ts'
import { captureStack } from './stack.ts'

/**
 * Runs `body` against the real world, in recordings and replays: its calls and reads are neither recorded nor answered. A replay waits only
 * for the promise that `body` returns, so read a stream to its end within `body`. Outside of a run, it just runs `body`.
 *
 * @param reason Why this has to stay live; kept in the trace as a note with the calling line. `goldenrun check --live` lists them.
 * @param body The function to run. Its result or error is passed through.
 */
export function live<Result>(reason: string, body: () => Result): Result {
  const scope = currentScope()
  if (scope === undefined) return body()
  const { run } = scope
  const site = callSite(captureStack().stack)
  run.note('live', site === undefined ? reason : `${reason} at ${printCallSite(site)}`)
  const result = runBelow(scope, { live: reason }, body)
  if (run.mode === 'replay' && types.isPromise(result)) {
    const release = run.works()
    result.then(release, release)
  }
  return result
}
