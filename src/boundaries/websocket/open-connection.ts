import { type AnsweredScope, currentScope, isRecorded, type RecordedScope, type Scope, scopeBelow } from '../../run/scope.ts'
import { knownPreambles, type Preamble } from '../../run/sessions.ts'
import { isGuardedHere } from '../contact/guards.ts'
import { isFree } from '../contact/make-contact.ts'
import { AnsweredConnection } from './answered-connection.ts'
import { AnsweredOpening } from './answered-opening.ts'
import type { DescribedConnection } from './describe-connection.ts'
import type { Handshake } from './handshake.ts'
import type { MemorySocket } from './memory-socket.ts'
import { RecordedConnection } from './recorded-connection.ts'

/** How a connection that is opened here is handled. */
export type Opening =
  /** Opened for real, and followed. */
  | { readonly kind: 'real'; readonly connection: RecordedConnection; readonly scope: RecordedScope | undefined }
  /** Opened to nothing. */
  | { readonly kind: 'answered'; readonly memory: MemorySocket; readonly scope: Scope | undefined; readonly open: () => void }
  /** A contact like any other. */
  | { readonly kind: 'contact' }

/** Decides how to handle a connection when it is opened. */
export function openConnection(described: DescribedConnection, handshake: () => Handshake): Opening {
  const scope = currentScope()
  const { open, address } = described
  // A connection that is declared live belongs to no run.
  if (scopeBelow() !== undefined) return { kind: 'contact' }
  if (scope === undefined) {
    if (isFree()) return { kind: 'real', connection: new RecordedConnection(described, undefined), scope: undefined }
    const preambles = isGuardedHere() ? knownPreambles(open) : []
    return preambles.length === 0 ? { kind: 'contact' } : openedBefore(described, undefined, handshake(), preambles)
  }
  if (isRecorded(scope)) return { kind: 'real', connection: new RecordedConnection(described, scope), scope }
  if (scope.run.live.includes(address)) return { kind: 'contact' }
  const preambles = scope.run.sessions.preamblesOf(open)
  if (preambles.length > 0) return openedBefore(described, scope, handshake(), preambles)
  const connection = new AnsweredConnection(described, scope, handshake())
  return { kind: 'answered', memory: connection.memory, scope, open: () => connection.open() }
}

function openedBefore(
  described: DescribedConnection,
  scope: AnsweredScope | undefined,
  handshake: Handshake,
  preambles: readonly Preamble[],
): Opening {
  const { memory } = new AnsweredOpening(described, scope, handshake, preambles)
  return { kind: 'answered', memory, scope, open: () => undefined }
}
