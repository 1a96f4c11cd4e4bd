import { callSite, captureTrail } from '../../run/call-site.ts'
import { processWide } from '../../node/process-wide.ts'
import type { Contact } from './contact.ts'
import { ContactRefusedError, type Refuser } from './contact-refused-error.ts'
import { isLost } from '../../run/scope.ts'
import { isLiveHost } from '../../http/live-hosts.ts'

/** A guard that is on. */
export interface Guard {
  /** As who it refuses: `guard` whatever is outside of runs, `replay guard` what is no test's either. */
  readonly refuser: Exclude<Refuser, 'replay'>
  /** Hosts that may be reached. */
  readonly live: readonly string[]
  /** Hosts whose refusal is no finding of a replay. */
  readonly refuse: readonly string[]
  /** Told of every contact that is refused. */
  readonly onRefused: (error: ContactRefusedError) => void
}

// A test runner may load one copy of the package for the guard and another for the doors.
const { guards, known } = processWide('guards', () => ({ guards: new Set<Guard>(), known: new Set<string>() }))

/** Puts a guard on. */
export function addGuard(guard: Guard): void {
  guards.add(guard)
}

/** Takes a guard off. */
export function removeGuard(guard: Guard): void {
  guards.delete(guard)
  if (guardsOf('guard').length === 0) known.clear()
}

/** Whether all that is outside of runs is guarded. */
export function isProcessGuarded(): boolean {
  return guardsOf('guard').length > 0
}

/** Whether a guard minds what the running code, outside of every run, does. */
export function isGuardedHere(): boolean {
  return isProcessGuarded() || (guards.size > 0 && isLost())
}

/** The error to refuse a contact with that is made outside of every run; undefined where all guards that mind it let it pass. */
export function refuseOutside(contact: Contact): ContactRefusedError | undefined {
  const replays = isLost() ? guardsOf('replay guard') : []
  const all = guardsOf('guard')
  // What a project says of its process holds for its replays too.
  const minding = all.length > 0 ? all : replays
  const refusing = minding.filter(({ live }) => !isLiveHost(contact.host, live))
  const [first] = refusing
  if (first === undefined) return undefined
  const error = new ContactRefusedError(contact, first.refuser, callSite(captureTrail().stack))
  const name = `${contact.door} ${contact.host}`
  // What was refused before a replay began is no finding of the replay's, nor is what the program may do without.
  const isFound = all.length > 0 && !known.has(name) && !all.some(({ refuse }) => isLiveHost(contact.host, refuse))
  const told = isFound ? [...refusing, ...replays] : refusing
  if (replays.length === 0) known.add(name)
  for (const { onRefused } of told) onRefused(error)
  return error
}

function guardsOf(refuser: Guard['refuser']): Guard[] {
  return [...guards].filter((guard) => guard.refuser === refuser)
}
