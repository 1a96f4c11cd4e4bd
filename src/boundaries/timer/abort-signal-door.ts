import { currentScope } from '../../run/scope.ts'
import { replaceProperty, type Restore } from '../patches.ts'

/** `AbortSignal.timeout`: its timer is Node's own inner one, so a run gets a signal on a timer of the run. */
export function abortSignalDoor(): Restore {
  return replaceProperty(AbortSignal, 'timeout', (real) => (delay) => {
    if (currentScope() === undefined) return real.call(AbortSignal, delay)
    const controller = new AbortController()
    setTimeout(() => controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')), delay)
    return controller.signal
  })
}
