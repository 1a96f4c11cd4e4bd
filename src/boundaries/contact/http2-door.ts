import type { ClientHttp2Session, ClientHttp2Stream, connect, Http2Session } from 'node:http2'
import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { hostOf } from '../../http/host-of.ts'
import { processWide } from '../../node/process-wide.ts'
import { builtins } from '../../node/builtins.ts'
import { combine, replaceProperty, type Restore } from '../patches.ts'
import { currentScope } from '../../run/scope.ts'
import { connectInRun, requestInRun } from '../http2/session-door.ts'
import { isInMemory, openInMemory } from '../http2/session-in-memory.ts'
import { type Contact, peerOf } from './contact.ts'
import { isLiveOutside } from './guards.ts'
import { asOwnWork, contactUnderWay, failingTarget, isFree, makeContact } from './make-contact.ts'
import { claimSocket, contactOf, isAttended, markOpened, markTransport, markUsed } from './known-sockets.ts'

type Connect = typeof connect
type Request = ClientHttp2Session['request']
type Method = (...args: unknown[]) => unknown
/** Node's methods for writing a stream. Source: Node, lib/internal/http2/core.js. */
type WritingStream = Record<'_write' | '_writev' | '_final', Method>

/**
 * HTTP/2, and gRPC over it: sessions when they connect; and, over sessions opened before the run, requests, pings, settings, and writes to
 * their streams.
 */
export function http2Door(): Restore {
  // Loaded only when the door opens, because most programs never use it.
  const http2 = process.getBuiltinModule('node:http2')
  const real = http2.connect
  const { session, stream } = prototypes(real)
  const asking = session as unknown as Record<'ping' | 'settings', Method>
  const writing = stream as unknown as WritingStream
  return combine(
    replaceProperty(http2, 'connect', connectDoor),
    replaceProperty(session, 'request', (original) => requestDoor(real, original)),
    replaceProperty(asking, 'ping', (original) => sendingDoor(original, (self: Http2Session) => self, false)),
    replaceProperty(asking, 'settings', (original) => sendingDoor(original, (self: Http2Session) => self)),
    ...(['_write', '_writev', '_final'] as const).map((name) =>
      replaceProperty(writing, name, (original) => sendingDoor(original, (self: ClientHttp2Stream) => self.session)),
    ),
  )
}

function connectDoor(original: Connect): Connect {
  return new Proxy(original, {
    apply(_target, _this, args: Parameters<Connect>) {
      const url = String(args[0])
      const contact = { door: 'http2', host: hostOf(url).address }
      const open = (): ClientHttp2Session => original(...args)
      const inMemory = (): ClientHttp2Session => openInMemory(url.startsWith('https:'), (socket) => connectOver(original, args, socket))
      const isOutermost = contactUnderWay() === undefined
      const scope = isOutermost ? currentScope() : undefined
      // Like a database client, it may connect; its requests outside of runs are refused.
      if (scope === undefined && isOutermost && !isFree() && !isLiveOutside(contact.host)) {
        const session = asOwnWork(inMemory)
        claimSocket(session, contact)
        return session
      }
      if (scope !== undefined) {
        const session = connectInRun(scope, url, open, inMemory)
        // A session in memory answers pings.
        if (scope.run.mode === 'record') claimSocket(session, contact)
        return session
      }
      const session = makeContact(
        () => contact,
        open,
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
    // A session that has ended reports that itself.
    if (isFree() || this.destroyed || this.closed || (isAttended(this) && !isInMemory(this))) {
      const stream = go()
      markUsed(stream)
      return stream
    }
    const scope = contactUnderWay() === undefined ? currentScope() : undefined
    const stream = scope && requestInRun(scope, this, args, go)
    if (stream !== undefined) return stream
    return makeContact(
      () => contactOfSession(this),
      go,
      (refusal) => {
        // The session may be shared, so the request is made over one that never connects.
        const session = connectOver(realConnect, ['http://refused'], () => builtins.net.connect(failingTarget(refusal)))
        session.on('error', () => undefined)
        markTransport(session)
        return Reflect.apply(original, session, args)
      },
    )
  }
}

/** A method that sends to the other end of a session, which answers to a callback. @param given What the method returns if refused. */
function sendingDoor(original: Method, sessionOf: (self: never) => Http2Session | undefined, given?: unknown): Method {
  return function send(this: object, ...args) {
    const go = (): unknown => Reflect.apply(original, this, args)
    const session = sessionOf(this as never)
    if (isFree() || session === undefined || session.destroyed || isAttended(this) || isAttended(session)) return go()
    return makeContact<unknown>(
      () => contactOfSession(session),
      go,
      ({ error, later }) => {
        const callback = args.at(-1)
        if (typeof callback === 'function') later(() => callback(error))
        return given
      },
    )
  }
}

function contactOfSession(session: Http2Session): Contact {
  return contactOf(session) ?? { door: 'http2', host: peerOf(session.socket) ?? 'opened before the run' }
}

/** Makes a session over a given socket. */
function connectOver(realConnect: Connect, args: readonly unknown[], createConnection: () => Socket): ClientHttp2Session {
  const [authority, options, listener] = typeof args[1] === 'function' ? [args[0], {}, args[1]] : args
  return Reflect.apply(realConnect, undefined, [authority, { ...(options as object), createConnection }, listener])
}

/**
 * Node exports no class for sessions and streams, so their prototypes are taken from an instance. All copies of the package share the first
 * one's prototypes: another copy's `connect` is already a door, of a context that may be gone.
 */
function prototypes(realConnect: Connect): { readonly session: ClientHttp2Session; readonly stream: ClientHttp2Stream } {
  return processWide('http2-prototypes', () => {
    // It waits for a connection that never comes. A real socket would make it set up a lot that is never used.
    const socket = Object.assign(new EventEmitter(), { connecting: true, _handle: { isStreamBase: true } })
    const session = connectOver(realConnect, ['http://refused'], () => socket as unknown as Socket)
    const stream = session.request({})
    return {
      session: Object.getPrototypeOf(session) as ClientHttp2Session,
      stream: Object.getPrototypeOf(stream) as ClientHttp2Stream,
    }
  })
}
