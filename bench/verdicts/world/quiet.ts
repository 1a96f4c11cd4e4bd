import { setTimeout as sleep } from 'node:timers/promises'
import { realNow } from './clock.ts'
import type { WorldLog } from './world-log.ts'

/** How long nothing may happen after a run before it counts as quiet, in milliseconds. */
const QUIET_MS = 60

/** A call without an answer by then is left open. In milliseconds. */
const MOST_MS = 5000

/** Waits until an agent has returned, no call is open, and nothing has happened for `watchMs`. @param watchMs Default: 60. */
export async function untilQuiet(log: WorldLog, watchMs: number = QUIET_MS): Promise<void> {
  const end = realNow() + MOST_MS
  while (realNow() < end && !(log.isIdle && realNow() - log.lastAt >= watchMs)) await sleep(5)
}
