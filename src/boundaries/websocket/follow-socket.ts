import type { Socket } from 'node:net'
import { callSite, captureTrail } from '../../run/call-site.ts'
import { runInScope, type Scope } from '../../run/scope.ts'
import { markTransport } from '../contact/known-sockets.ts'
import { bytesOf } from '../http/body-pieces.ts'
import { watchDestroy } from '../http/client-request-events.ts'
import type { Extensions } from './describe-connection.ts'
import { frameOf, type Message, MessageReader } from './web-socket-message.ts'
import { SentMessages } from './sent-messages.ts'

/** Notified of each message over a socket before it is passed on. */
export interface SocketWatcher {
  /** A message arrives; undefined when the server ends its side. */
  hears(message: Message | undefined): void
  /** The agent sends a message. */
  sends(message: Message): void
  /** The agent cuts the connection. */
  terminates(): void
  closes(): void
  fails(error: unknown): void
  /** The scope in which the agent receives what arrives, if it differs from the current one. */
  readonly hearing: Scope | undefined
  /** Decides whether the running code's writes are sent, withheld from the world, or refused with an error. */
  admits(): 'sent' | 'kept' | Error
  /** The socket's messages can no longer be followed. */
  loses(): void
}

/** A socket whose messages are followed in both directions. */
export class FollowedSocket {
  readonly sent: SentMessages
  readonly #socket: Socket
  readonly #watcher: SocketWatcher
  readonly #arriving: MessageReader
  readonly #push: (chunk: unknown, encoding?: BufferEncoding) => boolean
  #isLost = false
  #hasEnded = false

  /** Starts following. */
  constructor(socket: Socket, extensions: Extensions, watcher: SocketWatcher) {
    this.#socket = socket
    this.#watcher = watcher
    this.#arriving = new MessageReader(extensions.serverKeepsWindow)
    const tell = (message: Message): unknown => this.#attempt(() => watcher.sends(message))
    this.sent = new SentMessages(extensions, tell, () => watcher.admits() === 'kept')
    const { push } = socket
    this.#push = (chunk, encoding) => push.call(socket, chunk, encoding)
    markTransport(socket)
    this.#followPush()
    this.#followWrite()
    this.#followEvents()
  }

  /** Takes what arrived together with the handshake's answer. Returns what the client reads instead. */
  readHead(bytes: Uint8Array): Buffer {
    return Buffer.concat([...this.#pieces(bytes)])
  }

  /** Passes the client a message that the server has not sent; undefined for the end. */
  say(message: Message | undefined): void {
    if (this.#socket.destroyed) return
    if (message !== undefined) this.sent.heard(message)
    this.#push(message === undefined ? null : frameOf(message))
  }

  #followPush(): void {
    const socket = this.#socket
    socket.push = (chunk: unknown, encoding?: BufferEncoding): boolean => {
      if (chunk === null) {
        this.#ends()
        return this.#inHearing(() => this.#push(null))
      }
      if (!ArrayBuffer.isView(chunk)) return this.#push(chunk, encoding)
      let hasRoom = true
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
      for (const piece of this.#pieces(bytes)) hasRoom = this.#inHearing(() => this.#push(piece))
      return hasRoom
    }
  }

  /** Yields what the client reads. The watcher is notified of each message first. */
  *#pieces(bytes: Buffer | Uint8Array): Generator<Buffer> {
    if (this.#isLost) return void (yield Buffer.from(bytes))
    const pieces = this.#arriving.add(bytes)
    for (;;) {
      const piece = this.#attempt(() => pieces.next())
      if (piece === undefined) return void (yield this.#arriving.held)
      if (piece.done === true) return
      const { message } = piece.value
      if (message !== undefined) {
        this.sent.heard(message)
        this.#attempt(() => this.#watcher.hears(message))
      }
      yield piece.value.bytes
    }
  }

  #ends(): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#attempt(() => this.#watcher.hears(undefined))
  }

  #followWrite(): void {
    const socket = this.#socket
    const { write, end } = socket
    const take = (chunk: unknown, encoding: unknown): 'sent' | 'kept' | Error => {
      const bytes = bytesOf(chunk, encoding) ?? Buffer.alloc(0)
      const isKept = this.#isLost ? undefined : this.sent.isKept(bytes)
      const admitted = isKept === undefined ? this.#watcher.admits() : isKept ? 'kept' : 'sent'
      if (!(admitted instanceof Error)) this.#attempt(() => this.sent.add(bytes))
      return admitted
    }
    socket.write = ((chunk: unknown, ...rest: unknown[]) => {
      const admitted = take(chunk, rest[0])
      if (admitted === 'sent') return Reflect.apply(write, socket, [chunk, ...rest])
      const callback = rest.find((argument) => typeof argument === 'function')
      if (callback !== undefined) process.nextTick(callback, admitted === 'kept' ? null : admitted)
      return true
    }) as Socket['write']
    socket.end = ((chunk?: unknown, ...rest: unknown[]) => {
      if (chunk === undefined || chunk === null || typeof chunk === 'function' || take(chunk, rest[0]) === 'sent')
        return Reflect.apply(end, socket, [chunk, ...rest])
      return Reflect.apply(end, socket, [])
    }) as Socket['end']
  }

  #followEvents(): void {
    const socket = this.#socket
    const { emit } = socket
    let isSettled = false
    socket.emit = ((event: string, ...args: unknown[]) => {
      if (event === 'error' && !isSettled) {
        isSettled = true
        this.#attempt(() => this.#watcher.fails(args[0]))
      } else if (event === 'close' && !isSettled) {
        isSettled = true
        this.#attempt(() => this.#watcher.closes())
      }
      return this.#inHearing(() => Reflect.apply(emit, socket, [event, ...args]) as boolean)
    }) as Socket['emit']
    watchDestroy(socket, (error) => {
      if (error === undefined && !this.#hasEnded && this.isCut()) this.#attempt(() => this.#watcher.terminates())
    })
  }

  /** Returns whether the agent destroys the socket, and not Node or the end of the connection. */
  isCut(): boolean {
    return !this.sent.isClosing && callSite(captureTrail().stack) !== undefined
  }

  #inHearing<Result>(body: () => Result): Result {
    const scope = this.#watcher.hearing
    return scope === undefined ? body() : runInScope(scope, body)
  }

  /** Runs a recording step. If it throws, only the recording is lost. */
  #attempt<Result>(step: () => Result): Result | undefined {
    if (this.#isLost) return undefined
    try {
      return step()
    } catch {
      this.#isLost = true
      this.#watcher.loses()
      return undefined
    }
  }
}
