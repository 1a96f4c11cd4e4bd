import { realTimers } from '../node/real-timers.ts'

/**
 * The shortest of some time limits in milliseconds, as they were passed to clients: nothing and 0 mean no limit. Undefined if there is none. What is no
 * number is left to the client, which refuses it.
 */
export function shortestLimit(...given: readonly unknown[]): number | undefined {
  const numbers = given.map((limit) => (typeof limit === 'number' || typeof limit === 'string' ? Number(limit) : 0))
  const limits = numbers.filter((limit) => limit > 0 && limit < Infinity)
  return limits.length === 0 ? undefined : Math.min(...limits)
}

/** After how many milliseconds a timer fires that is set for this: one that it cannot wait is 1. Source: Node, lib/internal/timers.js, Timeout. */
export function timerDelay(given: unknown): number {
  const delay = Number(given)
  return delay >= 1 && delay <= realTimers.maximumDelay ? Math.trunc(delay) : 1
}
