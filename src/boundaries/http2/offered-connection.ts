import type { Socket } from 'node:net'
import { type Scope, runBelow } from '../../run/scope.ts'
import { type Contact, doorOf } from '../contact/contact.ts'
import { connectInMemory } from '../drivers/served-connections.ts'
import { emitIn } from '../http/client-request-events.ts'

/** The options of a connection. */
interface ConnectOptions {
  readonly ALPNProtocols?: unknown
}

/** Returns whether a connection is opened to find out whether its server speaks HTTP/2, as got does before it opens a session over it. */
export function offersHttp2(socket: Socket, options: unknown): boolean {
  if (doorOf(socket) !== 'tls' || typeof options !== 'object' || options === null) return false
  const { ALPNProtocols: protocols }: ConnectOptions = options
  return Array.isArray(protocols) && protocols.includes('h2')
}

/**
 * Opens such a connection in a run. It belongs to the requests that are made over it, and is not a step. What the server chose is a fact of
 * the run. Other bytes that are written to the connection are a contact.
 *
 * @param listener Called once it is connected.
 * @param open Opens it for real.
 */
export function connectOffering(scope: Scope, socket: Socket, { host }: Contact, listener: unknown, open: () => Socket): Socket {
  const { run, owner } = scope
  const chosen = (): unknown => run.readFact(owner, `tls.alpnProtocol ${host}`, () => Reflect.get(socket, 'alpnProtocol'))
  emitIn(socket, scope, (event) => {
    if (event === 'secureConnect') Object.assign(socket, { alpnProtocol: chosen() })
  })
  if (run.mode === 'record') return runBelow(scope, {}, open)
  const release = run.busy()
  socket.once('secureConnect', release).once('close', release)
  if (typeof listener === 'function') socket.once('connect', listener as () => void)
  return runBelow(scope, {}, () =>
    connectInMemory(socket, () => ({ receive: () => void socket.destroy(run.refuseContact(owner, 'tls', host)) })),
  )
}
