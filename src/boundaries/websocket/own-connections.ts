import type { ClientRequest } from 'node:http'
import type { Socket } from 'node:net'
import { urlOfTarget } from '../../http/host-of.ts'
import { processWide } from '../../node/process-wide.ts'
import { currentScope, runBelow } from '../../run/scope.ts'
import { isFree } from '../contact/make-contact.ts'
import { requestWebSocket } from './request-web-socket.ts'

/** A connection that a client opens for its request itself, like the ws package: Node passes such a request to no agent. */
interface OwnConnection {
  readonly authority: string
  /** Connects, if connecting has been postponed. */
  readonly connect: () => void
}

const own = processWide('own-web-socket-connections', () => new WeakMap<object, OwnConnection>())

/** Returns the authority of a WebSocket from a request's options, which such a client passes to its socket; undefined for any other socket. */
export function webSocketAuthority(options: unknown): string | undefined {
  if (typeof options !== 'object' || options === null || !('headers' in options)) return undefined
  const { headers, host, port, path } = options as Readonly<Record<string, unknown>>
  if (typeof headers !== 'object' || headers === null || typeof host !== 'string' || typeof path === 'string') return undefined
  const upgrade = Object.entries(headers).find(([name]) => name.toLowerCase() === 'upgrade')?.[1] as unknown
  return String(upgrade).toLowerCase() === 'websocket' ? `${host.includes(':') ? `[${host}]` : host}:${String(port)}` : undefined
}

/** Connects a socket for a WebSocket. If the answer may come from a trace, the request decides that, in the same turn. */
export function connectOwn(socket: Socket, authority: string, go: () => Socket): Socket {
  const scope = currentScope()
  if (scope?.run.mode === 'replay' || (scope === undefined && !isFree())) {
    own.set(socket, { authority, connect: () => void go() })
    return socket
  }
  own.set(socket, { authority, connect: () => undefined })
  return scope === undefined ? go() : runBelow(scope, {}, go)
}

/** Handles a request that gets its socket. Returns whether it is a WebSocket's. @param pass Node's own method. */
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
