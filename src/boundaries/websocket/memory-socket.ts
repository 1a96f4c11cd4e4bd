import type { Socket } from 'node:net'
import { builtins } from '../../node/builtins.ts'
import { markTransport } from '../contact/known-sockets.ts'

/** How a client uses its socket. */
export interface SocketUse {
  /** The client takes the socket for one with TLS. */
  readonly isSecure: boolean
  /** Whether the client writes its request to the socket, and reads the answer from it. */
  readonly isWritten: boolean
}

/** Told of what is done to a socket in memory. */
export interface MemoryWatcher {
  /** The client writes, after its request. */
  write(bytes: Buffer): void
  /** It is destroyed, by the client or because both sides have ended. */
  destroy(isFailed: boolean): void
}

type Chunk = Buffer | string
type Callback = (error?: Error | null) => void

/** Node's methods of a socket that its connection is read and written by. Source: Node, lib/net.js. */
interface Methods {
  _read(): void
  _write(chunk: Chunk, encoding: BufferEncoding, callback: Callback): void
  _writev(chunks: readonly { readonly chunk: Chunk; readonly encoding: BufferEncoding }[], callback: Callback): void
  _final(callback: Callback): void
  _destroy(error: Error | null, callback: Callback): void
}

/** A socket that is connected to nothing: what the client writes is told, and what it reads is said. It closes when it is let. */
export class MemorySocket {
  readonly socket: Socket
  #mayClose = false
  #close: (() => void) | undefined

  constructor(watcher: MemoryWatcher, { isSecure, isWritten }: SocketUse) {
    const request = new WrittenRequest(isWritten)
    const socket = new builtins.net.Socket()
    this.socket = socket
    const self = (): Socket => socket
    const methods: Methods = {
      _read: () => undefined,
      _write(chunk, encoding, callback) {
        watcher.write(request.rest(toBuffer(chunk, encoding)))
        callback()
      },
      _writev(chunks, callback) {
        watcher.write(request.rest(Buffer.concat(chunks.map(({ chunk, encoding }) => toBuffer(chunk, encoding)))))
        callback()
      },
      _final: (callback) => callback(),
      _destroy: (error, callback) => {
        watcher.destroy(error !== null)
        const close = (): void => {
          callback(error)
          process.nextTick(() => socket.emit('close', error !== null))
        }
        if (this.#mayClose || error !== null) close()
        else this.#close = close
      },
    }
    // Without a handle, Node would wait for one with each call.
    const keeping = { setTimeout: self, ref: self, unref: self }
    const secure = isSecure ? { encrypted: true, authorized: true, getPeerCertificate: () => ({}) } : {}
    Object.assign(socket, methods, keeping, secure)
    markTransport(socket)
  }

  /** Lets the client read. */
  say(bytes: Buffer): void {
    if (!this.socket.destroyed) this.socket.push(bytes)
  }

  /** The server ends. */
  end(): void {
    if (!this.socket.destroyed && !this.socket.readableEnded) this.socket.push(null)
  }

  /** It may close, and does so once it is destroyed. */
  letClose(): void {
    this.#mayClose = true
    this.#close?.()
    this.#close = undefined
  }

  fail(error: Error): void {
    this.#mayClose = true
    this.socket.destroy(error)
    this.letClose()
  }
}

function toBuffer(chunk: Chunk, encoding: BufferEncoding): Buffer {
  return typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk
}

/** Where a request ends that has no body. Source: RFC 9112, section 2.1. */
const end = '\r\n\r\n'

/** The request that a client writes before its messages. */
class WrittenRequest {
  #isOpen: boolean
  #text = ''

  /** @param isWritten Whether there is one. */
  constructor(isWritten: boolean) {
    this.#isOpen = isWritten
  }

  /** What follows the request in these bytes. */
  rest(bytes: Buffer): Buffer {
    if (!this.#isOpen) return bytes
    const before = this.#text.length
    this.#text += bytes.toString('latin1')
    const place = this.#text.indexOf(end)
    if (place === -1) return Buffer.alloc(0)
    this.#isOpen = false
    this.#text = ''
    return bytes.subarray(place + end.length - before)
  }
}
