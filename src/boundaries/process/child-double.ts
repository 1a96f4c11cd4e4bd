import type { ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import { getSystemErrorMap } from 'node:util'
import { builtins } from '../../node/builtins.ts'
import { callSite, captureTrail } from '../../run/call-site.ts'
import { keepContext } from '../../run/scope.ts'
import { markTransport } from '../contact/known-sockets.ts'
import type { EndedProcess } from '../../run/processes.ts'
import type { SpawnOptions } from './describe-process.ts'

/** Node's handle of a child. Source: Node, lib/internal/child_process.js. */
interface ProcessHandle {
  onexit(status: number, signal: string): void
}

/** How many of a child's parts are closed, and how many there are. */
interface Closes {
  _closesGot: number
  _closesNeeded: number
}

/** Told of what an agent does to a process. */
export interface ChildWatcher {
  kill(signal: NodeJS.Signals | number): void
  send(message: unknown): void
}

// No system gives a process such a number, so that whoever ends it by its number ends nothing.
const firstPid = 2 ** 30
let doubles = 0

/**
 * Lets Node believe that it has started a child process. The child's outputs are streams in memory, what is written to it goes nowhere, and it ends when
 * it is told to.
 */
export class ChildDouble {
  readonly #child: ChildProcess & Closes
  readonly #onexit: ProcessHandle['onexit']
  readonly #streams: readonly (Socket | null)[]
  readonly #context = keepContext()
  #hasExited = false

  /** @param spawn Node's own method. */
  constructor(child: ChildProcess, spawn: (options: SpawnOptions) => unknown, options: SpawnOptions) {
    this.#child = child as ChildProcess & Closes
    const { _handle: handle } = child as ChildProcess & { readonly _handle: ProcessHandle }
    this.#onexit = handle.onexit
    doubles += 1
    const none = (): void => undefined
    Object.assign(handle, {
      spawn: () => 0,
      kill: () => 0,
      ref: none,
      unref: none,
      hasRef: () => false,
      close: none,
      pid: firstPid + doubles,
    })
    const kinds = stdioOf(options)
    spawn({ ...options, stdio: kinds.map(() => 'ignore') })
    this.#streams = kinds.map((kind, number) => (isPipe(kind) ? (number === 0 ? inputDouble() : outputDouble()) : null))
    const [stdin, stdout, stderr] = this.#streams
    Object.assign(child, { stdin, stdout, stderr, stdio: [...this.#streams] })
    for (const stream of this.#streams.slice(1)) if (stream !== null) this.#awaitClose(stream)
    if (kinds.includes('ipc')) this.#openChannel()
  }

  /** What the agent writes to. */
  get stdin(): Socket | null {
    return this.#streams[0] ?? null
  }

  /** Tells of what the agent does to the process, other than writing to it. */
  watch(watcher: ChildWatcher): void {
    const { kill } = this.#child
    this.#child.kill = (signal) => {
      // What Node does by itself, as at a time limit, it did in the recorded run too.
      if (!this.#hasExited && callSite(captureTrail().stack) !== undefined) watcher.kill(signal ?? 'SIGTERM')
      return kill.call(this.#child, signal)
    }
    if (!this.#child.connected) return
    const { send } = this.#child
    this.#child.send = (message: unknown, ...rest: unknown[]): boolean => {
      watcher.send(message)
      return Reflect.apply(send, this.#child, [message, ...rest]) as boolean
    }
  }

  /** @param stream As in a `chunk` row. */
  output(stream: string | undefined, bytes: Uint8Array): void {
    const given = Buffer.from(bytes)
    this.#context.runInAsyncScope(() => {
      if (stream === 'exit') this.#exitAs(JSON.parse(given.toString()) as EndedProcess)
      else if (stream === 'message') this.#child.emit('message', JSON.parse(given.toString()))
      else if (stream === 'end') this.#streamOf(given.toString())?.push(null)
      else this.#streamOf(stream)?.push(given)
    })
  }

  /** It has ended, and so have its outputs. */
  close(ended: EndedProcess): void {
    this.#context.runInAsyncScope(() => {
      if (this.#child.connected) this.#disconnect()
      this.#exitAs(ended)
      for (const stream of this.#streams.slice(1)) if (stream?.destroyed === false && !stream.readableEnded) stream.push(null)
    })
  }

  /** It could not be started. @param error What it emits; default: what Node makes of the system's error. */
  fail(code: string, error?: Error): void {
    const number = [...getSystemErrorMap()].find(([, [name]]) => name === code)?.[0] ?? -2
    this.#context.runInAsyncScope(() => {
      const { emit } = this.#child
      if (error !== undefined)
        this.#child.emit = (event: string | symbol, ...args: unknown[]) =>
          Reflect.apply(emit, this.#child, [event, ...(event === 'error' ? [error] : args)]) as boolean
      this.#hasExited = true
      this.#onexit.call(undefined as never, number, '')
      Reflect.deleteProperty(this.#child, 'emit')
      for (const stream of this.#streams.slice(1)) if (stream?.destroyed === false) stream.push(null)
    })
  }

  #streamOf(stream: string | undefined): Socket | null | undefined {
    if (stream === undefined || stream === 'stdout') return this.#streams[1]
    return stream === 'stderr' ? this.#streams[2] : this.#streams[Number(stream.slice('fd'.length))]
  }

  #exitAs({ code, signal, killed }: EndedProcess): void {
    if (this.#hasExited) return
    if (killed === true && !this.#child.killed) this.#child.kill((signal ?? 'SIGTERM') as NodeJS.Signals)
    this.#hasExited = true
    this.#onexit.call(undefined as never, code ?? 0, signal ?? '')
  }

  /** @note A child is closed once it has exited and its outputs are. Source: Node, lib/internal/child_process.js, maybeClose. */
  #awaitClose(stream: Socket): void {
    const child = this.#child
    const count = (key: keyof Closes): number => {
      child[key] += 1
      return child[key]
    }
    count('_closesNeeded')
    stream.once('end', () => stream.destroy())
    stream.once('close', () => {
      const { _closesNeeded: needed } = child
      if (count('_closesGot') === needed) child.emit('close', child.exitCode, child.signalCode)
    })
  }

  #openChannel(): void {
    const nothing = (): void => undefined
    Object.assign(this.#child, {
      connected: true,
      channel: { ref: nothing, unref: nothing },
      send: (...args: unknown[]): boolean => {
        const callback = args.at(-1)
        if (typeof callback === 'function') process.nextTick(callback, null)
        return true
      },
      disconnect: () => this.#disconnect(),
    })
  }

  #disconnect(): void {
    Object.assign(this.#child, { connected: false, channel: null })
    process.nextTick(() => this.#child.emit('disconnect'))
  }
}

/** What is written to it goes nowhere. @note Without `readable: false`, who waits for all streams of a child waits for this one. */
function inputDouble(): Socket {
  const stream = new builtins.net.Socket({ readable: false })
  const written = (_several: boolean, _data: unknown, _encoding: string, callback: () => void): void => process.nextTick(callback)
  Object.assign(stream, { _writeGeneric: written })
  markTransport(stream)
  return stream
}

/** @note Node's own are not half open. Source: Node, lib/internal/child_process.js, createSocket. */
function outputDouble(): Socket {
  const stream = new builtins.net.Socket({ allowHalfOpen: false, writable: false })
  Object.assign(stream, { _read: () => undefined })
  markTransport(stream)
  return stream
}

/** The kinds of a child's streams, three at least. */
export function stdioOf({ stdio }: SpawnOptions): unknown[] {
  if (Array.isArray(stdio)) return [...stdio, ...[undefined, undefined, undefined].slice(stdio.length)]
  return [stdio, stdio, stdio]
}

/** Whether a stream is one that the parent reads or writes. */
export function isPipe(kind: unknown): boolean {
  return kind === undefined || kind === null || kind === 'pipe' || kind === 'overlapped'
}
