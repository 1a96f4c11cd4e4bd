import { loadSqlite } from '../../node/load-sqlite.ts'
import { installReplayDoors } from '../doors.ts'
import type { Restore } from '../patches.ts'
import type { ContactRefusedError } from './contact-refused-error.ts'
import { addGuard, type Guard, removeGuard } from './guards.ts'

/** The options of a guard. */
export interface GuardOptions {
  /** Hosts that may be contacted, with or without a port; `localhost` means every loopback address. Default: none, not even loopback. */
  readonly live?: readonly string[]
  /** Hosts that the program can do without: refused, but not reported by a replay. Read at each contact. Default: none. */
  readonly refuse?: readonly string[]
  /** Called for every refused contact, because the code that made it may catch the error. Default: none. */
  readonly onRefused?: (error: ContactRefusedError) => void
}

/**
 * Guards the whole process: contacts outside of every run are refused too, except to hosts that are declared live. Contacts of a run are
 * handled by the run. If there are several guards, each has to allow a contact.
 *
 * @returns Removes the guard; calling it again does nothing.
 */
export function guardProcess({ live = [], refuse = [], onRefused = () => undefined }: GuardOptions = {}): Restore {
  return putOn({ refuser: 'guard', live, refuse, onRefused })
}

/**
 * Guards code that belongs to neither a run nor a test during a replay: a module's worker or timer, a callback that was bound before. If
 * the whole process is guarded, it refuses nothing itself, and does not report what was refused before the replay.
 *
 * @returns Removes the guard.
 */
export function guardLost({ live = [], refuse = [], onRefused = () => undefined }: GuardOptions): Restore {
  return putOn({ refuser: 'replay guard', live, refuse, onRefused })
}

function putOn(guard: Guard): Restore {
  // Only loaded modules have doors, and a module that imports it may write before anyone hears that it was loaded.
  loadSqlite()
  const release = installReplayDoors()
  addGuard(guard)
  return () => {
    removeGuard(guard)
    release()
  }
}
