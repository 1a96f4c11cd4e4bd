import type { Socket } from 'node:dgram'
import { builtins } from '../../node/builtins.ts'
import { combine, replaceProperty, type Restore } from '../patches.ts'
import { withPort } from './contact.ts'
import { contactFunction } from './make-contact.ts'

type Args = readonly unknown[]

/** UDP: datagrams that are sent, and sockets that are connected or bound. */
export function datagramDoor(): Restore {
  const { prototype } = builtins.dgram.Socket
  return combine(
    replaceProperty(prototype, 'send', (original) => door(original, receiverOf, fail)),
    replaceProperty(prototype, 'connect', (original) => door(original, (socket, [port, address]) => place(socket, address, port), fail)),
    // Binding only calls back if it succeeds.
    replaceProperty(prototype, 'bind', (original) => door(original, boundTo, (socket, _args, error) => socket.emit('error', error))),
  )
}

/** @param fails Fails like the real method. */
function door<Method extends (...args: never[]) => unknown>(
  original: Method,
  host: (socket: Socket, args: Args) => string,
  fails: (socket: Socket, args: Args, error: Error) => void,
): Method {
  return contactFunction(
    original,
    (args, socket: Socket) => ({ door: 'udp', host: host(socket, args) }),
    ({ error, later }, args, socket: Socket) => {
      later(() => fails(socket, args, error))
      return socket
    },
  )
}

/** Calls the callback or, without one, emits an error. */
function fail(socket: Socket, args: Args, error: Error): void {
  const callback = args.at(-1)
  if (typeof callback === 'function') callback(error)
  else socket.emit('error', error)
}

/** `send(message[, offset, length][, port[, address]][, callback])`. Source: Node, lib/dgram.js. */
function receiverOf(socket: Socket, args: Args): string {
  const connected = peerOf(socket)
  if (connected !== undefined) return connected
  const [, first, second, third, fourth] = args
  const isSliced = Boolean(fourth) || (Boolean(third) && typeof third !== 'function')
  return isSliced ? place(socket, fourth, third) : place(socket, second, first)
}

function peerOf(socket: Socket): string | undefined {
  try {
    const { address, port } = socket.remoteAddress()
    return withPort(address, port)
  } catch {
    // Node throws if the socket is not connected.
    return undefined
  }
}

/** `bind([port][, address][, callback])`, or an object with the first two. */
function boundTo(socket: Socket, [first, second]: Args): string {
  const { port, address }: { port?: unknown; address?: unknown } =
    typeof first === 'object' && first !== null ? first : { port: first, address: second }
  return `${place(socket, address ?? '*', typeof port === 'number' ? port : 0)} (bound)`
}

function place({ type }: Socket & { readonly type?: unknown }, address: unknown, port: unknown): string {
  const isNamed = typeof address === 'string' && address !== ''
  return withPort(isNamed ? address : type === 'udp6' ? '::1' : '127.0.0.1', port)
}
