import type { ActiveRun } from '../../run/active-run.ts'
import { currentScope } from '../../run/scope.ts'
import { replaceGetter, type Restore } from '../patches.ts'
import { performancePrototype } from './performance-prototype.ts'

/**
 * `performance.timeOrigin`: when the process started. Code adds `performance.now()` to it to get the time, so a replay returns the recorded
 * value. It is read once per run, in whole milliseconds.
 */
export function timeOriginDoor(): Restore {
  const origins = new WeakMap<ActiveRun, number>()
  return replaceGetter(performancePrototype, 'timeOrigin', (original) => {
    return function timeOrigin(this: unknown): number {
      const scope = currentScope()
      if (scope === undefined) return original.call(this)
      const known = origins.get(scope.run)
      if (known !== undefined) return known
      const origin = scope.run.readClock(scope.owner, () => Math.round(original.call(this)))
      origins.set(scope.run, origin)
      return origin
    }
  })
}
