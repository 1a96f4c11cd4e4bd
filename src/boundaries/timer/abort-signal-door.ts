import { currentScope } from '../../run/scope.ts'
import { replaceProperty, type Restore } from '../patches.ts'
import { startRunTimeout } from './run-timeout.ts'

/** `AbortSignal.timeout`: its timer is internal to Node, so a run gets a signal with a timer of the run. */
export function abortSignalDoor(): Restore {
  return replaceProperty(AbortSignal, 'timeout', (real) => (delay) => {
    const scope = currentScope()
    // Node refuses a delay that is not a 32-bit number.
    if (scope === undefined || !(delay >= 0 && delay <= 0xffff_ffff)) return real.call(AbortSignal, delay)
    const controller = new AbortController()
    const timeout = startRunTimeout(scope, delay, false, () => {
      controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'))
    })
    // Like Node's own, it does not keep the process alive.
    timeout.unref()
    return controller.signal
  })
}
