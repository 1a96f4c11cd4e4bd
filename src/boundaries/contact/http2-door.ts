import type { ClientHttp2Session, connect as Connect } from 'node:http2'
import net from 'node:net'
import { combine, replaceProperty, type Restore } from '../patches.ts'
import { type Contact, withPort } from './contact.ts'
import { claimSocket, contactOf } from './known-sockets.ts'
import { makeContact } from './make-contact.ts'

type Http2 = typeof import('node:http2')

/** HTTP/2, and gRPC over it: sessions when they connect, and requests over sessions that were opened before the run. */
export function http2Door(): Restore {
  // Most programs never use it: it is loaded when a door is opened, not with this file.
  const http2 = process.getBuiltinModule('node:http2')
  const prototype: ClientHttp2Session = Object.getPrototypeOf(idleSession(http2).session)
  return combine(
    replaceProperty(http2, 'connect', (original) => connectDoor(http2, original)),
    replaceProperty(prototype, 'request', (original) => requestDoor(http2, original)),
  )
}

function connectDoor(http2: Http2, original: typeof Connect): typeof Connect {
  const connect = (...args: Parameters<typeof Connect>): ClientHttp2Session => {
    const contact = authorityOf(args[0])
    const session = makeContact(
      () => contact,
      () => original(...args),
      ({ error, later }) => {
        const { session: refused, socket } = idleSession(http2, args)
        later(() => socket.destroy(error))
        return refused
      },
    )
    claimSocket(session, contact)
    return session
  }
  return new Proxy(original, { apply: (_target, _this, args) => connect(...(args as Parameters<typeof Connect>)) })
}

function requestDoor(http2: Http2, original: ClientHttp2Session['request']): ClientHttp2Session['request'] {
  return function request(this: ClientHttp2Session, ...args) {
    const go = (): ReturnType<typeof original> => Reflect.apply(original, this, args)
    if (this.destroyed || this.closed) return go()
    return makeContact(
      () => contactOf(this) ?? peerOf(this),
      go,
      ({ error, later }) => {
        const { session, socket } = idleSession(http2)
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

/** A session that never connects: it and its streams fail as those of a host that cannot be reached. */
function idleSession(http2: Http2, [authority, options, listener]: Partial<Parameters<typeof Connect>> = []): {
  readonly session: ClientHttp2Session
  readonly socket: net.Socket
} {
  const socket = Object.assign(new net.Socket(), { connecting: true })
  ...
}
