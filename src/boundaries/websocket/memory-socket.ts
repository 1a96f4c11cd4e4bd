import type { Socket } from 'node:net'
import { builtins } from '../../node/builtins.ts'
import { markTransport } from '../contact/known-sockets.ts'

/** Told of what is done to a socket in memory. */
export interface MemoryWatcher {
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

  /** @param isSecure Whether the client takes it for one with TLS. */
  constructor(watcher: MemoryWatcher, isSecure: boolean) {
    const socket = new builtins.net.Socket()
    this.socket = socket
    const self = (): Socket => socket
    const methods: Methods = {
      _read: () => undefined,
      _write(chunk, encoding, callback) {
        watcher.write(toBuffer(chunk, encoding))
        callback()
      },
      _writev(chunks, callback) {
        watcher.write(Buffer.concat(chunks.map(({ chunk, encoding }) => toBuffer(chunk, encoding))))
        callback()
      },
      _final: (callback) => callback(),
      _destroy: (error, callback) => {
        watcher.destroy(error !== null)
        this.#holdClose(() => {
          callback(error)
          process.nextTick(() => socket.emit('close', error !== null))
        }, error !== null)
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

  #holdClose(close: () => void, isFailed: boolean): void {
    if (this.#mayClose || isFailed) close()
    else this.#close = close
  }
}

function toBuffer(chunk: Chunk, encoding: BufferEncoding): Buffer {
  return typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk
}
