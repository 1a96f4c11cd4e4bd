import type { Socket } from 'node:net'
import type { ActiveRun } from '../../run/active-run.ts'
import { processWide } from '../../node/process-wide.ts'
import { currentScope, scopeBelow } from '../../run/scope.ts'
import { type Contact, doorOf, peerOf } from './contact.ts'
import { contactUnderWay } from './make-contact.ts'

// A socket may be opened through one copy of the package and written to through another.
const { transports, live, contacts } = processWide('known-sockets', () => ({
  /** Sockets of boundaries: their traffic is recorded above the socket. */
  transports: new WeakSet<object>(),
  /** Sockets that a run opened inside code that it declared live. */
  live: new WeakMap<object, ActiveRun>(),
  /** The contact that each socket or session was opened for. */
  contacts: new WeakMap<object, Contact>(),
}))

/** Remembers the contact that a socket is opened for: the current contact, or else this one. */
export function claimSocket(socket: object, contact: Contact): void {
  transports.delete(socket)
  contacts.set(socket, contactUnderWay() ?? contact)
}

/** The contact that a socket was opened for, if known. */
export function contactOf(socket: object): Contact | undefined {
  return contacts.get(socket)
}

/** The contact that writing to a socket makes. */
export function contactByWriting(socket: Socket): Contact {
  const known = contactOf(socket)
  if (known !== undefined) return known
  const host = peerOf(socket)
  return host === undefined ? { door: 'socket', host: 'opened before the run' } : { door: doorOf(socket), host }
}

/** Marks a socket whose traffic is not a contact of its own. */
export function markTransport(socket: object): void {
  transports.add(socket)
}

/** Marks a socket that is opened below a boundary, or live. Returns whether it was marked. */
export function markOpened(socket: object): boolean {
  const scope = scopeBelow()
  if (scope === undefined) return false
  if (scope.below.live !== undefined) live.set(socket, scope.run)
  return true
}

/** Marks a socket that is written to below a boundary. */
export function markUsed(socket: object): void {
  const scope = scopeBelow()
  if (scope !== undefined && scope.below.live === undefined) transports.add(socket)
}

/**
 * Whether writing to a socket is not a contact of its own: a boundary records it, it was declared live, it is a server's connection, or
 * it is the process's own output.
 */
export function isAttended(socket: object): boolean {
  if (transports.has(socket)) return true
  const run = live.get(socket)
  if (run !== undefined && run === currentScope()?.run) return true
  const server: unknown = Reflect.get(socket, 'server')
  return (server !== undefined && server !== null) || Reflect.get(socket, '_isStdio') === true
}
