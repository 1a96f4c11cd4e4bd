import { loadSqlite } from '../../node/load-sqlite.ts'
import { installReplayDoors } from '../doors.ts'
import type { Restore } from '../patches.ts'
import { addGuard, type Guard, type GuardOptions, removeGuard } from './guards.ts'

/**
 * Guards the whole process: contacts outside of every run are refused too, except to hosts that are declared live. A run handles its own
 * contacts. If there are several guards, each has to allow a contact.
 *
 * @returns Removes the guard; calling it again does nothing.
 */
export function guardProcess(options: GuardOptions = {}): Restore {
  return putOn('guard', options)
}

/**
 * Guards code that belongs to neither a run nor a test during a replay: a module's worker or timer, or a callback bound earlier. If the
 * whole process is guarded, this guard refuses nothing itself and does not report contacts refused before the replay.
 *
 * @returns Removes the guard.
 */
export function guardLost(options: GuardOptions): Restore {
  return putOn('replay guard', options)
}

function putOn(refuser: Guard['refuser'], { live = [], refuse = [], onRefused = () => undefined }: GuardOptions): Restore {
  const guard = { refuser, live, refuse, onRefused }
  // Only loaded modules have doors, and a module that imports SQLite may write before the doors notice that it was loaded.
  loadSqlite()
  const release = installReplayDoors()
  addGuard(guard)
  return () => {
    removeGuard(guard)
    release()
  }
}
