import type { ClientHttp2Session, connect } from 'node:http2'
import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { processWide } from '../../node/process-wide.ts'
import { builtins } from '../../node/builtins.ts'
import { combine, replaceProperty, type Restore } from '../patches.ts'
import { hostOf } from './contact.ts'
import { failingTarget } from './failing-target.ts'
import { claimSocket, contactOf, isAttended, markOpened } from './known-sockets.ts'
import { isFree, makeContact } from './make-contact.ts'
import { peerOf } from './peer.ts'

type Connect = typeof connect
type Request = ClientHttp2Session['request']

/** HTTP/2, and gRPC over it: sessions when they connect, and requests over those that were opened before the run. */
export function http2Door(): Restore {
  // Loaded only when the door opens, because most programs never use it.
  const http2 = process.getBuiltinModule('node:http2')
  const real = http2.connect
  return combine(
    replaceProperty(http2, 'connect', connectDoor),
    replaceProperty(sessionPrototype(real), 'request', (original) => requestDoor(real, original)),
  )
}

function connectDoor(original: Connect): Connect {
  return new Proxy(original, {
    apply(_target, _this, args: Parameters<Connect>) {
      const contact = { door: 'http2', host: hostOf(args[0]) }
      const session = makeContact(
        () => contact,
        () => original(...args),
        (refusal) => connectOver(original, args, () => builtins.net.connect(failingTarget(refusal))),
      )
      if (!markOpened(session)) claimSocket(session, contact)
      return session
    },
  })
}

function requestDoor(realConnect: Connect, original: Request): Request {
  return function request(this: ClientHttp2Session, ...args) {
    const go = (): ReturnType<Request> => Reflect.apply(original, this, args)
    // An ended session fails by itself.
    if (isFree() || this.destroyed || this.closed || isAttended(this)) return go()
    return makeContact(
      () => contactOf(this) ?? { door: 'http2', host: peerOf(this.socket) ?? 'opened before the run' },
      go,
      (refusal) => {
        // The session may be shared, so the request is made over one that never connects.
        const session = connectOver(realConnect, ['http://refused'], () => builtins.net.connect(failingTarget(refusal)))
        session.on('error', () => undefined)
        return Reflect.apply(original, session, args)
      },
    )
  }
}

/** Creates a session over a given socket. */
function connectOver(realConnect: Connect, args: readonly unknown[], createConnection: () => Socket): ClientHttp2Session {
  const [authority, options, listener] = typeof args[1] === 'function' ? [args[0], {}, args[1]] : args
  return Reflect.apply(realConnect, undefined, [authority, { ...(options as object), createConnection }, listener])
}

/**
 * Node does not export the class of sessions, so it is taken from a session. All copies of the package share the one found first, because
 * for later copies `connect` is already a door, of a context that may be gone.
 */
function sessionPrototype(realConnect: Connect): ClientHttp2Session {
  return processWide('http2-session', () => {
    // It waits for a connection that never comes. A real socket would cause needless setup.
    const socket = Object.assign(new EventEmitter(), { connecting: true, _handle: { isStreamBase: true } })
    const session = connectOver(realConnect, ['http://refused'], () => socket as unknown as Socket)
    return Object.getPrototypeOf(session) as ClientHttp2Session
  })
}
