import { callSite, captureTrail } from '../../run/call-site.ts'
import { processWide } from '../../run/process-wide.ts'
import type { Contact } from './contact.ts'
import { ContactRefusedError, type Refuser } from './contact-refused-error.ts'
import { isLiveHost } from './live-hosts.ts'

/** A guard that is on. */
export interface Guard {
  /** As who it refuses. */
  readonly refuser: Refuser
  /** Hosts that may be reached. */
  readonly live: readonly string[]
  /** Whether the code that runs now is its business. */
  readonly minds: () => boolean
  /** Told of every contact that this guard refuses; `isKnown` where a guard that minds everything has refused the same before. */
  readonly onRefused: (error: ContactRefusedError, isKnown: boolean) => void
}

// A test runner may load one copy of the package for the guard and another for the doors.
const { guards, refused } = processWide('guards', () => ({ guards: new Set<Guard>(), refused: new Set<string>() }))

/** Puts a guard on. */
export function addGuard(guard: Guard): void {
  guards.add(guard)
}

/** Takes a guard off. */
export function removeGuard(guard: Guard): void {
  guards.delete(guard)
  if (guards.size === 0) refused.clear()
}

/** Whether any guard minds what the running code does. */
export function isProcessGuarded(): boolean {
  return [...guards].some((guard) => guard.minds())
}

/** The error to refuse a contact with that is made outside of every run; undefined where all guards let it pass. */
export function refuseOutside(contact: Contact): ContactRefusedError | undefined {
  const refusing = [...guards].filter(({ live, minds }) => minds() && !isLiveHost(contact.host, live))
  const [first] = refusing
  if (first === undefined) return undefined
  const error = new ContactRefusedError(contact, first.refuser, callSite(captureTrail().stack))
  const name = `${contact.door} ${contact.host}`
  const isKnown = refused.has(name)
  for (const { onRefused } of refusing) onRefused(error, isKnown)
  if (refusing.some(({ refuser }) => refuser === 'guard')) refused.add(name)
  return error
}
