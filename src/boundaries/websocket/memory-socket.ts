import type { Socket } from 'node:net'
import { builtins } from '../../node/builtins.ts'
import { markTransport } from '../contact/known-sockets.ts'

/** How a client uses its socket. */
export interface SocketUse {
  /** Whether the client uses the socket as a TLS socket. */
  readonly isSecure: boolean
  /** Whether the client writes its request to the socket, and reads the answer from it. */
  readonly isWritten: boolean
}

/** Notified of what is done to an in-memory socket. */
export interface MemoryWatcher {
  /** The client writes bytes after its request. */
  write(bytes: Buffer): void
  /** The socket is destroyed, by the client or because both sides have ended. */
  destroy(isFailed: boolean): void
}

/** Node's methods for reading and writing a socket's connection. Source: Node, lib/net.js. */
type Methods = Pick<Socket, '_read' | '_write' | '_writev' | '_final' | '_destroy'>

/** A socket that is connected to nothing: it reports what the client writes, and `say` provides what the client reads. It closes when allowed to. */
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
    // Without a handle, Node's own methods would wait for one on each call.
    const keeping = { setTimeout: self, ref: self, unref: self }
    const secure = isSecure ? { encrypted: true, authorized: true, getPeerCertificate: () => ({}) } : {}
    Object.assign(socket, methods, keeping, secure)
    markTransport(socket)
  }

  /** Gives the client bytes to read. */
  say(bytes: Buffer): void {
    if (!this.socket.destroyed) this.socket.push(bytes)
  }

  /** Ends the server's side. */
  end(): void {
    if (!this.socket.destroyed && !this.socket.readableEnded) this.socket.push(null)
  }

  /** Allows the socket to close, which it does once it is destroyed. */
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

function toBuffer(chunk: Buffer | string, encoding: BufferEncoding): Buffer {
  return typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk
}

/** The end of a request without a body. Source: RFC 9112, section 2.1. */
const end = '\r\n\r\n'

/** The request that a client writes before its messages. */
class WrittenRequest {
  #isOpen: boolean
  #text = ''

  /** @param isWritten Whether there is a request. */
  constructor(isWritten: boolean) {
    this.#isOpen = isWritten
  }

  /** Returns the bytes that follow the request. */
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
