import type { Socket } from 'node:net'
import type tls from 'node:tls'
import { builtins } from '../../node/builtins.ts'
import { connectOwn, webSocketAuthority } from '../websocket/own-connections.ts'
import { combine, replaceProperty, type Restore, sameEachTime } from '../patches.ts'
import { connectInMemory, isServedHere, serveHere, serverOf } from '../drivers/served-connections.ts'
import { type Contact, doorOf, withPort } from './contact.ts'
import { connectOffering, offersHttp2 } from '../http2/offered-connection.ts'
import { currentScope } from '../../run/scope.ts'
import { contactUnderWay, failingTarget, isFree, makeContact } from './make-contact.ts'
import { claimSocket, contactByWriting, isAttended, markOpened, markTransport, markUsed } from './known-sockets.ts'

/** Node's internal method for writing to a socket: one chunk, or several. Source: Node, lib/net.js. */
type WriteGeneric = (this: Socket, several: boolean, data: unknown, encoding: string, callback: (error?: Error | null) => void) => void

/**
 * Sockets: TCP, TLS and unix sockets when they connect, before a server can send anything; and sockets opened before the run, when they
 * are written to or get TLS on top.
 */
export function socketDoor(): Restore {
  const { prototype } = builtins.net.Socket
  return combine(
    replaceProperty(prototype, 'connect', connectDoorOf),
    replaceProperty(prototype as Socket & { _writeGeneric: WriteGeneric }, '_writeGeneric', writeDoorOf),
    replaceProperty(builtins.tls.TLSSocket.prototype as SecureSocket, '_start', startDoorOf),
  )
}

const connectDoorOf = sameEachTime(connectDoor)
const writeDoorOf = sameEachTime(writeDoor)
const startDoorOf = sameEachTime(startDoor)

/** TLS over an existing connection, which bypasses that connection's write method. */
function startDoor(original: () => void): () => void {
  return function _start(this: SecureSocket) {
    const { _parent: parent } = this
    const go = (): void => original.call(this)
    const server = serverOf(parent ?? this)
    // There is no peer to encrypt for.
    if (server !== undefined) return void connectInMemory(Object.assign(this, { authorized: true }), server, ['secureConnect'])
    if (parent === undefined || parent === null || isAttended(parent)) return go()
    makeContact(
      () => contactByWriting(parent),
      go,
      ({ error, later }) => later(() => this.destroy(error)),
    )
  }
}

function connectDoor(original: Socket['connect']): Socket['connect'] {
  return function connect(this: Socket, ...args: unknown[]): Socket {
    const go = (): Socket => Reflect.apply(original, this, args)
    if (isServedHere()) {
      const [listener] = (Array.isArray(args[0]) ? args[0] : args).slice(-1) as unknown[]
      if (typeof listener === 'function') this.once('connect', listener as () => void)
      serveHere(this)
      return this
    }
    if (markOpened(this)) return go()
    const authority = webSocketAuthority(Array.isArray(args[0]) ? args[0][0] : args[0])
    if (authority !== undefined) return connectOwn(this, authority, go)
    const target = targetOf(this, args)
    if (target === undefined) return go()
    claimSocket(this, target)
    const [options, listener]: readonly unknown[] = Array.isArray(args[0]) ? args[0] : args
    const scope = isFree() ? undefined : currentScope()
    if (scope !== undefined && contactUnderWay() === undefined && offersHttp2(this, options)) {
      const isLive = scope.run.mode === 'replay' && scope.run.live.includes(target.host)
      if (!isLive) return connectOffering(scope, this, target, listener, go)
    }
    return makeContact(
      () => target,
      go,
      (refusal) => {
        // Bytes written in the meantime wait for a connection and are never sent.
        markTransport(this)
        return Reflect.apply(original, this, [failingTarget(refusal)])
      },
    )
  }
}

function writeDoor(original: WriteGeneric): WriteGeneric {
  return function _writeGeneric(several, data, encoding, callback) {
    const go = (): void => original.call(this, several, data, encoding, callback)
    if (isFree()) {
      markUsed(this)
      return go()
    }
    if (isAttended(this)) return go()
    makeContact(
      () => contactByWriting(this),
      go,
      ({ error, later }) => later(() => callback(error)),
    )
  }
}

/** A TLS socket, with Node's internal fields. Source: Node, lib/internal/tls/wrap.js. */
type SecureSocket = tls.TLSSocket & {
  _start: () => void
  /** The underlying connection. */
  readonly _parent?: Socket | null
}

interface Target {
  readonly path?: unknown
  readonly port?: unknown
  readonly host?: unknown
}

/** The target that a socket connects to; undefined if there is none. Source: Node, lib/net.js, normalizeArgs. */
function targetOf(socket: Socket, args: readonly unknown[]): Contact | undefined {
  const [first, second]: readonly unknown[] = Array.isArray(args[0]) ? args[0] : args
  const { path, port, host }: Target = typeof first === 'object' && first !== null ? first : spelledOut(first, second)
  if (typeof path === 'string' && path !== '') return { door: 'unix socket', host: path }
  if (port === undefined || port === null) return undefined
  return { door: doorOf(socket), host: withPort(host ?? 'localhost', port) }
}

function spelledOut(first: unknown, second: unknown): Target {
  const isPath = typeof first === 'string' && !/^\d+$/.test(first)
  return isPath ? { path: first } : { port: first, host: typeof second === 'string' ? second : undefined }
}
