import { callSite, captureTrail } from '../../run/call-site.ts'
import { processWide } from '../../node/process-wide.ts'
import type { Contact } from './contact.ts'
import { ContactRefusedError, type Refuser } from './contact-refused-error.ts'
import { isLost } from '../../run/scope.ts'
import { isLiveHost } from '../../http/live-hosts.ts'

/** The options of a guard. */
export interface GuardOptions {
  /** Hosts that may be contacted, with or without a port; `localhost` means every loopback address. Default: none, not even loopback. */
  readonly live?: readonly string[]
  /** Hosts that the program can do without: refused, but not reported by a replay. Read at each contact. Default: none. */
  readonly refuse?: readonly string[]
  /** Called for every refused contact, because the code that made it may catch the error. Default: none. */
  readonly onRefused?: (error: ContactRefusedError) => void
}

/** A guard that is on. */
export interface Guard extends Required<GuardOptions> {
  /** What it refuses: `guard` refuses everything outside of runs, `replay guard` only code that does not belong to a test either. */
  readonly refuser: Exclude<Refuser, 'replay'>
}

// A test runner may load one copy of the package for the guard and another for the doors.
const { guards, known } = processWide('guards', () => ({ guards: new Set<Guard>(), known: new Set<string>() }))

/** Adds a guard. */
export function addGuard(guard: Guard): void {
  guards.add(guard)
}

/** Removes a guard. */
export function removeGuard(guard: Guard): void {
  guards.delete(guard)
  if (guardsOf('guard').length === 0) known.clear()
}

/** Whether everything outside of runs is guarded. */
export function isProcessGuarded(): boolean {
  return guardsOf('guard').length > 0
}

/** Whether a guard applies to the running code outside of every run. */
export function isGuardedHere(): boolean {
  return isProcessGuarded() || (guards.size > 0 && isLost())
}

/** Whether the running code, outside of every run, may contact a host. */
export function isLiveOutside(host: string): boolean {
  return !isGuardedHere() || [...guards].every(({ live }) => isLiveHost(host, live))
}

/** Whether the process is guarded, and a project's declarations let it contact a host. */
export function isDeclaredLive(host: string): boolean {
  const all = guardsOf('guard')
  return all.length > 0 && all.every(({ live }) => isLiveHost(host, live))
}

/** The error that refuses a contact outside of every run; undefined if all applicable guards allow the contact. */
export function refuseOutside(contact: Contact): ContactRefusedError | undefined {
  const replays = isLost() ? guardsOf('replay guard') : []
  const all = guardsOf('guard')
  // A project's declarations for its process also apply to its replays.
  const minding = all.length > 0 ? all : replays
  const refusing = minding.filter(({ live }) => !isLiveHost(contact.host, live))
  const [first] = refusing
  if (first === undefined) return undefined
  const error = new ContactRefusedError(contact, first.refuser, callSite(captureTrail().stack))
  const name = `${contact.door} ${contact.host}`
  // A replay reports neither contacts refused before it began nor contacts that the program can do without.
  const isFound = all.length > 0 && !known.has(name) && !all.some(({ refuse }) => isLiveHost(contact.host, refuse))
  const told = isFound ? [...refusing, ...replays] : refusing
  if (replays.length === 0) known.add(name)
  for (const { onRefused } of told) onRefused(error)
  return error
}

function guardsOf(refuser: Guard['refuser']): Guard[] {
  return [...guards].filter((guard) => guard.refuser === refuser)
}
