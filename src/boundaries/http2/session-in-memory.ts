import type { ClientHttp2Session } from 'node:http2'
import type { Socket } from 'node:net'
import nodeStream from 'node:stream'
import { markTransport } from '../contact/known-sockets.ts'
import { socketMethods } from '../http/idle-limit.ts'
import { asOwnWork } from './own-session-work.ts'

const inMemory = new WeakSet<ClientHttp2Session>()

/** Returns whether a session leads nowhere. */
export function isInMemory(session: ClientHttp2Session): boolean {
  return inMemory.has(session)
}

/**
 * Opens a session over an in-memory connection with Node's own server at its far end: it connects, agrees on settings and answers pings. No
 * requests are made over it.
 *
 * @param connect Creates the session over a given connection.
 */
export function openInMemory(isSecure: boolean, connect: (createConnection: () => Socket) => ClientHttp2Session): ClientHttp2Session {
  const [near, far] = nodeStream.duplexPair()
  const session = connect(() => Object.assign(near, socketMethods(near)) as unknown as Socket)
  if (isSecure) Object.defineProperties(session, secure)
  markTransport(session)
  inMemory.add(session)
  asOwnWork(session, ['close', 'destroy', 'goaway', 'ping', 'settings'])
  const peer = process.getBuiltinModule('node:http2').performServerHandshake(far)
  peer.on('error', ignore).on('stream', (stream) => stream.close())
  session.once('close', () => peer.destroy())
  return session
}

/** What a session reports about TLS. */
const secure: PropertyDescriptorMap = { encrypted: { value: true }, alpnProtocol: { value: 'h2' } }

function ignore(): void {
  // The session reports its own error to the agent.
}
