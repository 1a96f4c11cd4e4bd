import { realTimers } from './real-timers.ts'

/**
 * Throws an error of the agent as Node does one of a timer or a listener: nothing can catch it, and the code that called these goes on. Happens before
 * anything else does, because a replay may end in the next turn.
 */
export function throwUncaught(error: unknown): void {
  realTimers.queueMicrotask(() => {
    throw error
  })
}
