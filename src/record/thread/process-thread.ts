import { runOutside } from '../../run/scope.ts'
import { warn } from '../../run/tell.ts'
import { isInSandbox, ownFile } from '../../node/own-file.ts'
import { LogThread } from './log-thread.ts'

let thread: LogThread | undefined
/** The number of attempted starts: a thread that cannot be started is not retried forever. */
let attempts = 0
let isSaid = false

/** Returns the process's thread, which starts on the first call; undefined if there can be none. */
export function processThread(): LogThread | undefined {
  if (thread === undefined || thread.isGone) {
    const file = ownFile('record/thread/log-worker')
    if (file === undefined) sayNoThread()
    if (file === undefined || attempts >= 3) return undefined
    attempts += 1
    try {
      thread = runOutside(() => new LogThread(file))
    } catch {
      return undefined
    }
  }
  return thread
}

/** A bundle contains no file from which a thread could be started. */
function sayNoThread(): void {
  if (isSaid || isInSandbox) return
  isSaid = true
  warn(
    "goldenrun redacts and writes recordings on the agents' thread: the file of its writer thread is not next to this code, which happens in a bundle. " +
      'To use the thread, keep the package goldenrun out of the bundle (external).',
  )
}
