import { constants, getPriority, setPriority } from 'node:os'

/** The lowest priority. Source: setpriority(2). */
const LOWEST = constants.priority.PRIORITY_LOW

/**
 * Lowers the priority of the calling thread below that of its process: other threads go first when processors are short. Linux keeps a priority for
 * each thread and uses the caller's if none is named. Elsewhere this would change the whole process, so nothing is done. Source: setpriority(2), "C
 * library/kernel differences".
 */
export function lowerThreadPriority(): void {
  usual ??= getPriority()
  setThreadPriority(Math.min(LOWEST, usual + constants.priority.PRIORITY_BELOW_NORMAL))
}

/**
 * Undoes `lowerThreadPriority` when too much is waiting.
 *
 * @note Linux allows this only to a process that runs as root or has `CAP_SYS_NICE` or a `nice` limit; for others the thread's priority stays as it
 * is.
 */
export function goWithAgents(): void {
  if (usual !== undefined) setThreadPriority(usual)
}

/** The thread's original priority. */
let usual: number | undefined

function setThreadPriority(priority: number): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(priority)
  } catch {
    // A sandbox may forbid it: all threads then have the same priority.
  }
}
