import { processWide } from '../../node/process-wide.ts'
import type { Scope } from '../../run/scope.ts'
import { realTimers } from '../../node/real-timers.ts'

// Callbacks that tell the run that a pending immediate is done.
const pending = processWide('immediates', () => new WeakMap<object, () => void>())

/** Starts a real immediate; on replay the run is not idle while one is pending. */
export function startRunImmediate({ run }: Scope, callback: () => void): NodeJS.Immediate {
  if (run.mode === 'record') return realTimers.setImmediate(callback)
  const done = run.waitsForTurn()
  const immediate = realTimers.setImmediate(() => {
    done()
    // An endless loop would otherwise continue in the test's process.
    if (!run.ended) callback()
  })
  pending.set(immediate, done)
  return immediate
}

/** Tells the run of an immediate, if any, that it was cleared. */
export function forgetRunImmediate(immediate: unknown): void {
  if (typeof immediate === 'object' && immediate !== null) pending.get(immediate)?.()
}
