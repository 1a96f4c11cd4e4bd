import { installDoors } from '../doors.ts'
import type { Restore } from '../patches.ts'
import type { ContactRefusedError } from './contact-refused-error.ts'
import { addGuard, type Guard, removeGuard } from './guards.ts'

/** What a guard lets pass, and whom it tells. */
export interface GuardOptions {
  /** Hosts that may be reached, with their port or without; `localhost` is every loopback address. Default: none, not even loopback. */
  readonly live?: readonly string[]
  /** Hosts that the program may do without: refused, and found in no replay. Read at each contact. Default: none. */
  readonly refuse?: readonly string[]
  /** Told of every contact that the guard refuses: the code that made it may catch the error. Default: nobody. */
  readonly onRefused?: (error: ContactRefusedError) => void
}

/**
 * Guards the whole process: contacts outside of every run are refused too, but for hosts that are declared live. Those of a run are the run's.
 * Of several guards each has to let a contact pass.
 *
 * @returns Takes the guard off; calling it again does nothing.
 */
export function guardProcess({ live = [], refuse = [], onRefused = () => undefined }: GuardOptions = {}): Restore {
  return putOn({ refuser: 'guard', live, refuse, onRefused })
}

/**
 * Guards what nobody is known for, neither a run nor a test, while a replay goes on: a module's worker or timer, a callback that was bound before.
 * Where the whole process is guarded it refuses nothing by itself, and what was refused before the replay is not told.
 *
 * @returns Takes the guard off.
 */
export function guardLost({ live = [], refuse = [], onRefused = () => undefined }: GuardOptions): Restore {
  return putOn({ refuser: 'replay guard', live, refuse, onRefused })
}

function putOn(guard: Guard): Restore {
  const release = installDoors()
  addGuard(guard)
  return () => {
    removeGuard(guard)
    release()
  }
}
