import { constants, getPriority, setPriority } from 'node:os'

/** As low as it gets. Source: setpriority(2). */
const LOWEST = constants.priority.PRIORITY_LOW

/**
 * Lowers the priority of the thread that calls, below that of its process: where processors are short, others go first. Linux keeps a priority for each
 * thread, and takes the caller's where none is named; elsewhere it would be the whole process's, and nothing is done. Source: setpriority(2),
 * "C library/kernel differences".
 */
export function lowerThreadPriority(): void {
  usual ??= getPriority()
  setThreadPriority(Math.min(LOWEST, usual + constants.priority.PRIORITY_BELOW_NORMAL))
}

/**
 * Takes back what `lowerThreadPriority` did: what waits is too much.
 *
 * @note Linux lets a process do so that is root's, or has `CAP_SYS_NICE` or a limit `nice`; of others the thread stays as it is.
 */
export function goWithAgents(): void {
  if (usual !== undefined) setThreadPriority(usual)
}

/** Of the thread, when it began. */
let usual: number | undefined

function setThreadPriority(priority: number): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(priority)
  } catch {
    // A sandbox may forbid it: then all are alike.
  }
}
