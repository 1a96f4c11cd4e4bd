import { constants, getPriority, setPriority } from 'node:os'

/** As low as it gets. Source: setpriority(2). */
const LOWEST = constants.priority.PRIORITY_LOW

/**
 * Lowers the priority of the thread that calls, below that of its process: where processors are short, others go first. Linux keeps a priority for each
 * thread, and takes the caller's where none is named; elsewhere it would be the whole process's, and nothing is done. Source: setpriority(2),
 * "C library/kernel differences".
 */
export function letAgentsGoFirst(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(Math.min(LOWEST, getPriority() + constants.priority.PRIORITY_BELOW_NORMAL))
  } catch {
    // A sandbox may forbid it: then all are alike.
  }
}
