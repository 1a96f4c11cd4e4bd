import { setTimeout as sleep } from 'node:timers/promises'
import { realNow } from './clock.ts'
import type { WorldLog } from './world-log.ts'

/** For how long nothing may have come after a run, in milliseconds. */
const QUIET_MS = 60

/** A call that is not answered by then is left open. */
const MOST_MS = 5000

/** Waits until an agent has returned, no call is open, and nothing more came for a while. @param watchMs That while. Default: 60. */
export async function untilQuiet(log: WorldLog, watchMs: number = QUIET_MS): Promise<void> {
  const end = realNow() + MOST_MS
  while (realNow() < end && !(log.isIdle && realNow() - log.lastAt >= watchMs)) await sleep(5)
}
