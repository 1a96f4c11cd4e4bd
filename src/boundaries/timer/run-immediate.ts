import { processWide } from '../../node/process-wide.ts'
import type { Scope } from '../../run/scope.ts'
import { realTimers } from '../../node/real-timers.ts'

// What tells the run of a pending immediate that it is done.
const pending = processWide('immediates', () => new WeakMap<object, () => void>())

/** Starts a real immediate; on replay the run is not idle while one is pending. */
export function startRunImmediate({ run }: Scope, callback: () => void): NodeJS.Immediate {
  if (run.mode === 'record') return realTimers.setImmediate(callback)
  const done = run.waitsForTurn()
  const immediate = realTimers.setImmediate(() => {
    done()
    // What spins for ever would go on spinning in the test's process.
    if (!run.ended) callback()
  })
  pending.set(immediate, done)
  return immediate
}

/** Tells the run of an immediate, if it is one's, that it will not come. */
export function forgetRunImmediate(immediate: unknown): void {
  if (typeof immediate === 'object' && immediate !== null) pending.get(immediate)?.()
}
