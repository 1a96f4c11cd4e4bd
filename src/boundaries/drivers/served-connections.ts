import { AsyncLocalStorage } from 'node:async_hooks'
import type { Socket } from 'node:net'
import { processWide } from '../../node/process-wide.ts'

/** The other end of a connection in memory: a server that can only accept a driver's connection. */
export interface Server {
  /** Receives the driver's bytes. */
  receive(bytes: Buffer): void
}

/** The way back to the driver. */
export interface ServedSocket {
  send(bytes: Uint8Array): void
  end(): void
  /** There is no connection, or it is lost. */
  fail(error: Error): void
}

/** @param failure Why the connection failed in the recorded run: the server's error, or there was no connection. */
export type MakeServer = (socket: ServedSocket, failure?: Error) => Server

/** When a connection in memory is opened, and how the attempt ends. */
export interface Opening {
  /** Calls `open` at the right time, with the error of the recorded attempt if it failed. */
  wait(open: (failure?: unknown) => void): void
}

interface Serving {
  readonly make: MakeServer
  readonly opening?: Opening | undefined
}

const serving = processWide('served-connections', () => new AsyncLocalStorage<Serving | undefined>())

/**
 * Runs `connect`: all connections that it opens, immediately or later, are answered in memory, each by its own server.
 *
 * @param opening Default: the opening of the surrounding connection. If there is none, connections are opened immediately.
 */
export function serveConnections<Result>(make: MakeServer, connect: () => Result, opening?: Opening): Result {
  return serving.run({ make, opening: opening ?? serving.getStore()?.opening }, connect)
}

/** Whether connections opened by the running code are answered in memory. */
export function isServedHere(): boolean {
  return serving.getStore() !== undefined
}

/** Answers a connection in memory if the running code's connections are. Returns whether it does. */
export function serveHere(socket: Socket): boolean {
  const here = serving.getStore()
  if (here !== undefined) connectInMemory(socket, here.make, undefined, here.opening)
  return here !== undefined
}

const served = new WeakMap<Socket, MakeServer>()

/** The server that answers a connection in memory; undefined for a real one. */
export function serverOf(socket: Socket): MakeServer | undefined {
  return served.get(socket)
}

/** Node's methods that read and write a socket's connection. Source: Node, lib/net.js. */
type Methods = Pick<Socket, '_read' | '_write' | '_writev' | '_final'>

/**
 * Connects a socket to a server in memory.
 *
 * @param events The events that it emits once it is connected, in a later tick like a real socket.
 */
export function connectInMemory(
  socket: Socket,
  make: MakeServer,
  events: readonly string[] = ['connect', 'ready'],
  opening: Opening = { wait: (open) => open() },
): Socket {
  served.set(socket, make)
  const early: Buffer[] = []
  let server: Server = { receive: (bytes) => void early.push(bytes) }
  const receive = (chunk: Buffer | string, encoding: BufferEncoding): void =>
    server.receive(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk)
  const methods: Methods = {
    _read: () => undefined,
    _write(chunk, encoding, callback) {
      receive(chunk, encoding)
      callback()
    },
    _writev(chunks, callback) {
      for (const { chunk, encoding } of chunks) receive(chunk, encoding)
      callback()
    },
    _final(callback) {
      callback()
      ends()
    },
  }
  let hasEnded = false
  const push = (bytes: Uint8Array | null): unknown => socket.destroyed || hasEnded || socket.push(bytes)
  const ends = (): void => {
    push(null)
    hasEnded = true
  }
  // Without a handle, Node would wait for one at each call.
  const keeping = { ref: () => socket, unref: () => socket }
  Object.assign(socket, methods, keeping, { connecting: true })
  const open = (failure?: unknown): void => {
    if (socket.destroyed) return
    const makeThis: MakeServer = (to, own = failure as Error | undefined) => make(to, own)
    // TLS on top has a server of its own, which fails like this one.
    served.set(socket, makeThis)
    server = makeThis({
      send: (bytes) => process.nextTick(push, bytes),
      end: () => process.nextTick(ends),
      fail: (error) => void socket.destroy(error),
    })
    if (socket.destroyed) return
    Object.assign(socket, { connecting: false })
    for (const event of events) socket.emit(event)
    for (const bytes of early.splice(0)) server.receive(bytes)
  }
  opening.wait((failure) => process.nextTick(open, failure))
  return socket
}
