import { realTimers } from '../node/real-timers.ts'

/**
 * Returns the shortest of some time limits in milliseconds, as passed to clients: nothing and 0 mean no limit. Undefined if there is none.
 * Values that are not numbers are left to the client, which refuses them.
 */
export function shortestLimit(...given: readonly unknown[]): number | undefined {
  const numbers = given.map((limit) => (typeof limit === 'number' || typeof limit === 'string' ? Number(limit) : 0))
  const limits = numbers.filter((limit) => limit > 0 && limit < Infinity)
  return limits.length === 0 ? undefined : Math.min(...limits)
}

/** Returns a timer's real delay in milliseconds: one that it cannot wait becomes 1. Source: Node, lib/internal/timers.js, Timeout. */
export function timerDelay(given: unknown): number {
  const delay = Number(given)
  return delay >= 1 && delay <= realTimers.maximumDelay ? Math.trunc(delay) : 1
}
