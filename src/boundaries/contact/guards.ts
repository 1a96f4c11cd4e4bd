import { callSite, captureTrail } from '../../run/call-site.ts'
import { processWide } from '../../run/process-wide.ts'
import type { Contact } from './contact.ts'
import { ContactRefusedError } from './contact-refused-error.ts'
import { isLiveHost } from './live-hosts.ts'

/** A guard that is on. */
export interface Guard {
  /** Hosts that may be reached. */
  readonly live: readonly string[]
  /** Told of every contact that this guard refuses. */
  readonly onRefused: (error: ContactRefusedError) => void
}

// A test runner may load one copy of the package for the guard and another for the doors.
const guards = processWide('guards', () => new Set<Guard>())

/** Puts a guard on. */
export function addGuard(guard: Guard): void {
  guards.add(guard)
}

/** Takes a guard off. */
export function removeGuard(guard: Guard): void {
  guards.delete(guard)
}

/** Whether any guard is on. */
export function isProcessGuarded(): boolean {
  return guards.size > 0
}

/** The error to refuse a contact with that is made outside of every run; undefined where all guards let it pass. */
export function refuseOutside(contact: Contact): ContactRefusedError | undefined {
  const refusing = [...guards].filter(({ live }) => !isLiveHost(contact.host, live))
  if (refusing.length === 0) return undefined
  const error = new ContactRefusedError(contact, 'guard', callSite(captureTrail().stack))
  for (const { onRefused } of refusing) onRefused(error)
  return error
}
