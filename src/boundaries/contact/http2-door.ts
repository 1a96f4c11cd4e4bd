import type { ClientHttp2Session, connect } from 'node:http2'
import net from 'node:net'
import { combine, replaceProperty, type Restore } from '../patches.ts'
import { hostOf } from './contact.ts'
import { claimSocket, contactOf, isAttended, markBelow } from './known-sockets.ts'
import { isFree, makeContact } from './make-contact.ts'
import { peerOf } from './peer.ts'

type Connect = typeof connect
type Request = ClientHttp2Session['request']

/** HTTP/2, and gRPC over it: sessions when they connect, and requests over those that were opened before the run. */
export function http2Door(): Restore {
  // Most programs never use it, so it is not loaded before a door is opened.
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
        ({ error, later }) => {
          const idle = idleSession(original, args)
          later(() => idle.socket.destroy(error))
          return idle.session
        },
      )
      if (!markBelow(session)) claimSocket(session, contact)
      return session
    },
  })
}

function requestDoor(realConnect: Connect, original: Request): Request {
  return function request(this: ClientHttp2Session, ...args) {
    const go = (): ReturnType<Request> => Reflect.apply(original, this, args)
    if (isFree()) {
      markBelow(this)
      return go()
    }
    // A session that has ended says so itself.
    if (this.destroyed || this.closed || isAttended(this)) return go()
    return makeContact(
      () => contactOf(this) ?? { door: 'http2', host: peerOf(this.socket) ?? 'opened before the run' },
      go,
      ({ error, later }) => {
        const { session, socket } = idleSession(realConnect)
        const stream = Reflect.apply(original, session, args)
        later(() => {
          stream.destroy(error)
          session.destroy()
          socket.destroy()
        })
        return stream
      },
    )
  }
}

/** A session over a socket that never connects: as long as that is so, its requests wait. */
function idleSession(
  realConnect: Connect,
  args: readonly unknown[] = ['http://localhost'],
): { session: ClientHttp2Session; socket: net.Socket } {
  const [authority, options, listener] = typeof args[1] === 'function' ? [args[0], {}, args[1]] : args
  const socket = Object.assign(new net.Socket(), { connecting: true })
  const session = Reflect.apply(realConnect, undefined, [authority, { ...(options as object), createConnection: () => socket }, listener])
  return { session, socket }
}

let prototype: ClientHttp2Session | undefined

/** Node exports no class for sessions: only a session has it. */
function sessionPrototype(realConnect: Connect): ClientHttp2Session {
  if (prototype !== undefined) return prototype
  const { session, socket } = idleSession(realConnect)
  session.destroy()
  socket.destroy()
  prototype = Object.getPrototypeOf(session) as ClientHttp2Session
  return prototype
}
