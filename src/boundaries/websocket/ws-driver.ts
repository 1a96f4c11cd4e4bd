import type { Socket } from 'node:net'
import { contactByWriting, isAttended } from '../contact/known-sockets.ts'
import { makeContact } from '../contact/make-contact.ts'
import type { DriverClass } from '../drivers/driver.ts'
import { replaceMethods } from '../drivers/driver-work.ts'
import { combine, type Restore } from '../patches.ts'
import { followedSockets, type SentMessages } from './sent-messages.ts'
import { type Message, writeClosing } from './web-socket-message.ts'

/** An instance of the class, and the options of its `send` method. Source: ws 8.23, lib/websocket.js. */
interface WsSocket {
  readonly readyState?: unknown
  readonly _socket?: Socket | null
}

interface SendOptions {
  readonly fin?: boolean
  readonly binary?: boolean
}

const isOpen = 1

/**
 * The ws package compresses messages in other threads and writes them later, when another run may be active. So its messages are intercepted
 * where they are sent. Other clients, and ws without compression, write frames at once.
 */
export const wsDriver: readonly DriverClass[] = [{ own: ['setSocket', 'emitClose', 'send', 'terminate'], open: openClass }]

function openClass(prototype: object): Restore {
  const open = (name: string, call: CallOpen): Restore =>
    replaceMethods(prototype, [name], ({ self, args, go }) => {
      const { readyState, _socket: socket } = self as WsSocket
      return readyState === isOpen && socket ? call(socket, args, go) : go()
    })
  const controls = (['ping', 'pong', 'close'] as const).map((name) => open(name, (socket, args, go) => control(name, socket, args, go)))
  return combine(open('send', send), ...controls)
}

/** Calls a method of an open socket. */
type CallOpen = (socket: Socket, args: readonly unknown[], go: () => unknown) => unknown

/** Pings, pongs and closes wait for messages that are being compressed. */
function control(name: 'ping' | 'pong' | 'close', socket: Socket, args: readonly unknown[], go: () => unknown): unknown {
  const sent = followedSockets.get(socket)
  const message = sent?.isCompressed === true ? controlOf(name, args) : undefined
  if (sent === undefined || message === undefined) return go()
  let given: unknown
  sent.controls(message, () => (given = go()))
  return given
}

function controlOf(name: 'ping' | 'pong' | 'close', [first, second]: readonly unknown[]): Message | undefined {
  if (name !== 'close') {
    const payload = typeof first === 'function' ? undefined : first
    const bytes = payloadOf(payload)
    return bytes && { kind: name, payload: bytes }
  }
  if (first !== undefined && typeof first !== 'number') return undefined
  return {
    kind: 'close',
    payload: Buffer.concat([writeClosing(first === undefined ? {} : { code: first }), payloadOf(second) ?? Buffer.alloc(0)]),
  }
}

function send(socket: Socket, args: readonly unknown[], go: () => unknown): unknown {
  const sent = followedSockets.get(socket)
  if (sent === undefined) return sendUnfollowed(socket, args, go)
  if (sent.isCompressed) announce(sent, args[0], args[1] as SendOptions | undefined)
  return go()
}

/** Sending over a connection that was opened before it could be followed is a contact, whenever its frames are written. */
function sendUnfollowed(socket: Socket, args: readonly unknown[], go: () => unknown): unknown {
  if (isAttended(socket)) return go()
  return makeContact(
    () => contactByWriting(socket),
    go,
    ({ error, later }) =>
      later(() => {
        const callback = args.findLast((argument) => typeof argument === 'function')
        callback?.(error)
        socket.destroy(error)
      }),
  )
}

function announce(sent: SentMessages, data: unknown, options: SendOptions | undefined): void {
  const { fin = true, binary } = typeof options === 'object' && options !== null ? options : {}
  const payload = payloadOf(data)
  const kind = (binary ?? (typeof data !== 'string' && typeof data !== 'number')) ? 'binary' : 'text'
  sent.announce(payload && { kind, payload }, fin)
}

function payloadOf(data: unknown): Buffer | undefined {
  if (typeof data === 'string' || typeof data === 'number') return Buffer.from(String(data))
  if (data instanceof ArrayBuffer) return Buffer.from(data)
  if (ArrayBuffer.isView(data)) return Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  return data === undefined || data === null ? Buffer.alloc(0) : undefined
}
