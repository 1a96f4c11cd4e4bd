import type { ClientRequest } from 'node:http'
import type { Socket } from 'node:net'
import { urlOfTarget } from '../../http/host-of.ts'
import { processWide } from '../../node/process-wide.ts'
import { currentScope, runBelow } from '../../run/scope.ts'
import { isFree } from '../contact/make-contact.ts'
import { requestWebSocket } from './request-web-socket.ts'

/** A connection that a client opens for its request by itself, as the ws package does: Node passes such a request to no agent. */
interface OwnConnection {
  readonly authority: string
  /** Connects, if that has been put off. */
  readonly connect: () => void
}

const own = processWide('own-web-socket-connections', () => new WeakMap<object, OwnConnection>())

/** Where a socket connects to for a WebSocket, by the options of the request, which such a client passes on; undefined for any other. */
export function webSocketAuthority(options: unknown): string | undefined {
  if (typeof options !== 'object' || options === null || !('headers' in options)) return undefined
  const { headers, host, port, path } = options as Readonly<Record<string, unknown>>
  if (typeof headers !== 'object' || headers === null || typeof host !== 'string' || typeof path === 'string') return undefined
  const upgrade = Object.entries(headers).find(([name]) => name.toLowerCase() === 'upgrade')?.[1] as unknown
  return String(upgrade).toLowerCase() === 'websocket' ? `${host.includes(':') ? `[${host}]` : host}:${String(port)}` : undefined
}

/** Connects a socket for a WebSocket. Where its answer may come from a trace, the request decides on that, in the same turn. */
export function connectOwn(socket: Socket, authority: string, go: () => Socket): Socket {
  const scope = currentScope()
  if (scope?.run.mode === 'replay' || (scope === undefined && !isFree())) {
    own.set(socket, { authority, connect: () => void go() })
    return socket
  }
  own.set(socket, { authority, connect: () => undefined })
  return scope === undefined ? go() : runBelow(scope, {}, go)
}

/** A request gets its socket. Returns whether that is one for a WebSocket. @param pass Node's own method. */
export function takesOwnSocket(request: ClientRequest, socket: unknown, pass: () => void): boolean {
  const opened = typeof socket === 'object' && socket !== null ? own.get(socket) : undefined
  if (opened === undefined) return false
  own.delete(socket as object)
  const url = urlOfTarget(`${request.protocol}//${opened.authority}`, request.path)
  requestWebSocket(request, url, () => {
    opened.connect()
    pass()
  })
  return true
}
