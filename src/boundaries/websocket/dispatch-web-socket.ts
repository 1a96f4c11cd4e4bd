import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { headerValue } from '../../http/headers.ts'
import { receivedHeaders } from '../../http/received-headers.ts'
import { withoutFetchDefaults } from '../../http/request-headers.ts'
import { runBelow } from '../../run/scope.ts'
import { contactByDispatch } from '../contact/web-socket.ts'
import { asCaptured, dispatchHeaders, dispatchUrl } from '../http/dispatch-request.ts'
import { type DispatchHandler, type DispatchOptions, type Dispatcher, watchHandler } from '../http/undici-types.ts'
import { describeConnection } from './describe-connection.ts'
import { DispatchedHandshake } from './dispatched-handshake.ts'
import { openConnection } from './open-connection.ts'
import type { RecordedConnection } from './recorded-connection.ts'

/** Returns whether a dispatch requests an upgrade to a WebSocket, from the global class or undici's. */
export function isWebSocketDispatch(options: DispatchOptions): boolean {
  return typeof options.upgrade === 'string' && options.upgrade.toLowerCase() === 'websocket'
}

/** A WebSocket of the global class, or of undici's. */
export function dispatchWebSocket(original: Dispatcher, options: DispatchOptions, handler: DispatchHandler): boolean {
  const headers = dispatchHeaders(options)
  const url = dispatchUrl(options)
  const key = headerValue(headers, 'sec-websocket-key') ?? ''
  const handshake = new DispatchedHandshake(key, url.startsWith('https:'), handler)
  const opening = openConnection(describeConnection(url, withoutFetchDefaults(headers)), () => handshake)
  if (opening.kind === 'contact') return contactByDispatch(original, options, handler)
  if (opening.kind === 'answered') {
    handshake.start()
    opening.open()
    return true
  }
  const { connection, scope } = opening
  const watched = watchHandler(handler, (name, args) => {
    try {
      watchCall(connection, name, args)
    } catch {
      connection.loses()
    }
  })
  const dispatch = (): boolean => original.dispatch(asCaptured(options), watched)
  return scope === undefined ? dispatch() : runBelow(scope, { captured: true }, dispatch)
}

/** @param name A method of the handler, of either generation of undici. */
function watchCall(connection: RecordedConnection, name: string | symbol, args: readonly unknown[]): void {
  const [first, second, third] = args
  if (name === 'onUpgrade' || name === 'onRequestUpgrade') follow(connection, args)
  else if (name === 'onHeaders') refuse(connection, first, second, args[3])
  else if (name === 'onResponseStart') refuse(connection, second, third, args[3])
  else if (name === 'onData') connection.refuses(first as Uint8Array)
  else if (name === 'onResponseData') connection.refuses(second as Uint8Array)
  else if (name === 'onComplete' || name === 'onResponseEnd') connection.closes()
  else if (name === 'onError' || name === 'onResponseError') connection.fails(args.at(-1))
}

function refuse(connection: RecordedConnection, status: unknown, headers: unknown, statusText: unknown): void {
  const phrase = typeof statusText === 'string' ? { statusText } : {}
  connection.answered({ status: Number(status), ...phrase, headers: receivedHeaders(headers as never) })
}

/** @param args Status, headers and socket, among arguments that differ between the generations of undici. */
function follow(connection: RecordedConnection, args: readonly unknown[]): void {
  const place = args.findIndex((argument) => argument instanceof EventEmitter)
  const socket = args[place] as Socket
  const headers = receivedHeaders(args[place - 1] as never)
  connection.answered({ status: Number(args[place - 2]), headers })
  connection.follow(socket)
  // Undici has put back the bytes that the server sent with its answer.
  const head: unknown = socket.readableLength > 0 ? socket.read() : null
  if (head !== null) socket.push(head)
}
