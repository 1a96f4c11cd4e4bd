import type { Socket } from 'node:net'
import { callSite, captureTrail } from '../../run/call-site.ts'
import { runInScope, type Scope } from '../../run/scope.ts'
import { markTransport } from '../contact/known-sockets.ts'
import { bytesOf } from '../http/body-pieces.ts'
import { watchDestroy } from '../http/client-request-events.ts'
import type { Extensions } from './describe-connection.ts'
import { frameOf, type Message, MessageReader } from './web-socket-message.ts'
import { SentMessages } from './sent-messages.ts'

/** Told of what goes over a socket, before it goes on. */
export interface SocketWatcher {
  /** A message arrives; undefined for the end of what the server sends. */
  hears(message: Message | undefined): void
  /** The agent sends a message. */
  sends(message: Message): void
  /** The agent cuts the connection. */
  terminates(): void
  closes(): void
  fails(error: unknown): void
  /** Where the agent hears what arrives, if that is not where it does anyway. */
  readonly hearing: Scope | undefined
  /** Decides on what the running code writes: it is sent, or kept from the world, or refused with an error. */
  admits(): 'sent' | 'kept' | Error
  /** What goes over the socket cannot be followed any more. */
  loses(): void
}

/** A socket whose messages are followed, in both directions. */
export class FollowedSocket {
  readonly sent: SentMessages
  readonly #socket: Socket
  readonly #watcher: SocketWatcher
  readonly #arriving: MessageReader
  readonly #push: (chunk: unknown, encoding?: BufferEncoding) => boolean
  #isLost = false
  #hasEnded = false

  /** From now on it is followed. */
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

  /** What came together with the answer to the handshake. Returns what the client is to read instead. */
  readHead(bytes: Uint8Array): Buffer {
    return Buffer.concat([...this.#pieces(bytes)])
  }

  /** Lets the client hear a message that the server has not sent; undefined for the end. */
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

  /** What the client gets to read: each message is told of before. */
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

  /** Whether the agent, and not Node or the end of a connection, destroys the socket. */
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
