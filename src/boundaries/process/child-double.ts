import type { ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import { getSystemErrorMap } from 'node:util'
import { builtins } from '../../node/builtins.ts'
import { callSite, captureTrail } from '../../run/call-site.ts'
import { keepContext } from '../../run/scope.ts'
import { type KillableProcess, makeKillable } from './kill-door.ts'
import { markTransport } from '../contact/known-sockets.ts'
import type { Json } from '../../trace/json.ts'
import { fromRecorded } from '../../trace/values.ts'
import type { EndedProcess } from '../../run/processes.ts'
import type { SpawnOptions } from './describe-process.ts'

/** A child process, with Node's internal fields. Source: Node, lib/internal/child_process.js. */
export interface NodeChild extends ChildProcess {
  readonly _handle: ProcessHandle | null
  /** How many of its parts are closed. `_closesNeeded` is how many there are. */
  _closesGot: number
  _closesNeeded: number
}

/** A child process that is about to be spawned. */
export type StartingChild = NodeChild & { readonly _handle: ProcessHandle }

interface ProcessHandle {
  onexit(status: number, signal: string): void
}

/** Notified of what an agent does to a process. */
export interface ChildWatcher {
  kill(signal: NodeJS.Signals | number): void
  send(message: unknown): void
}

// No system assigns such a pid, so killing it ends nothing.
const firstPid = 2 ** 30
let doubles = 0

/**
 * Makes Node believe that it has started a child process. The child's outputs are streams in memory, its input is discarded, and it ends on
 * request.
 */
export class ChildDouble {
  /** The outputs that have ended. */
  readonly #ended = new Set<Socket>()
  readonly #child: NodeChild
  readonly #onexit: ProcessHandle['onexit']
  readonly #streams: readonly (Socket | null)[]
  readonly #context = keepContext()
  readonly #pid: number
  #killable: KillableProcess | undefined
  #start: (() => void) | undefined
  #hasExited = false

  /**
   * @param spawn Node's own method.
   * @param isStarted Whether the process is known to exist. Otherwise `start` confirms it: an agent that starts one process after another
   * must let the event loop turn.
   */
  constructor(child: ChildProcess, spawn: (options: SpawnOptions) => unknown, options: SpawnOptions, isStarted = true) {
    this.#child = child as NodeChild
    const { _handle: handle } = child as StartingChild
    this.#onexit = handle.onexit
    doubles += 1
    this.#pid = firstPid + doubles
    const none = (): void => undefined
    Object.assign(handle, {
      spawn: () => 0,
      kill: () => 0,
      ref: none,
      unref: none,
      hasRef: () => false,
      close: none,
      pid: this.#pid,
    })
    if (!isStarted) this.#holdStart(child)
    const kinds = stdioOf(options)
    spawn({ ...options, stdio: kinds.map(() => 'ignore') })
    this.#streams = kinds.map((kind, number) => (isPipe(kind) ? (number === 0 ? inputDouble() : outputDouble(number > 2)) : null))
    const [stdin, stdout, stderr] = this.#streams
    Object.assign(child, { stdin, stdout, stderr, stdio: [...this.#streams] })
    for (const stream of this.#streams.slice(1)) if (stream !== null) this.#awaitClose(stream)
    // A child closes where the recorded one did, even if all of its outputs have ended earlier.
    this.#count('_closesNeeded')
    if (kinds.includes('ipc')) this.#openChannel()
  }

  #holdStart(child: ChildProcess): void {
    const { emit } = child
    let isHeld = false
    child.emit = (event: string | symbol, ...args: unknown[]) => {
      if (event !== 'spawn') return Reflect.apply(emit, child, [event, ...args]) as boolean
      isHeld = true
      return true
    }
    this.#start = () => {
      Reflect.deleteProperty(child, 'emit')
      if (isHeld) child.emit('spawn')
    }
  }

  /** Confirms that the process exists. */
  start(): void {
    this.#context.runInAsyncScope(() => this.#start?.())
    this.#start = undefined
  }

  /** The stream that the agent writes to. */
  get stdin(): Socket | null {
    return this.#streams[0] ?? null
  }

  /** Notifies `watcher` of everything that the agent does to the process except writing. */
  watch(watcher: ChildWatcher): void {
    const { kill } = this.#child
    const isThere = (): boolean => !this.#hasExited
    this.#killable = { onKill: (signal) => isThere() && watcher.kill(signal), kill: isThere }
    this.#child.once('exit', makeKillable(this.#pid, this.#killable))
    this.#child.kill = (signal) => {
      // What Node does by itself, as at a time limit, it also did in the recorded run.
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
      else if (stream === 'message') this.#child.emit('message', fromRecorded(JSON.parse(given.toString()) as Json))
      else if (stream === 'disconnect') this.#disconnect()
      else if (stream === 'end') this.#push(this.#streamOf(given.toString()), null)
      else this.#push(this.#streamOf(stream), given)
    })
  }

  /** @param bytes Null for the end of the output. */
  #push(output: Socket | null | undefined, bytes: Buffer | null): void {
    // In a trace that was edited by hand, an output may go on after its end.
    if (output === undefined || output === null || this.#ended.has(output)) return
    if (bytes === null) this.#ended.add(output)
    output.push(bytes)
  }

  /** The process and its outputs have ended. */
  close(ended: EndedProcess): void {
    this.#context.runInAsyncScope(() => {
      if (this.#child.connected) this.#disconnect()
      this.#exitAs(ended)
      this.#endOutputs()
      this.#partCloses()
    })
  }

  /** Refuses the process in a replay. Without an error listener, the error would end this process and lose the verdict. */
  refuse(error: Error): void {
    const { emit } = this.#child
    if (this.#child.listenerCount('error') === 0) return
    this.#child.emit = (event: string | symbol, ...args: unknown[]) =>
      Reflect.apply(emit, this.#child, [event, ...(event === 'error' ? [error] : args)]) as boolean
    this.#context.runInAsyncScope(() => {
      this.#hasExited = true
      this.#onexit.call(undefined as never, systemErrorNumber('ENOENT'), '')
      Reflect.deleteProperty(this.#child, 'emit')
      this.#endOutputs()
      this.#partCloses()
    })
  }

  #endOutputs(): void {
    for (const stream of this.#streams.slice(1)) if (stream?.destroyed === false && !stream.readableEnded) stream.push(null)
  }

  #streamOf(stream: string | undefined): Socket | null | undefined {
    if (stream === undefined || stream === 'stdout') return this.#streams[1]
    if (stream === 'stderr') return this.#streams[2]
    const number = Number(stream.slice('fd'.length))
    // The first is the one that the agent writes to.
    return number > 0 ? this.#streams[number] : undefined
  }

  #exitAs({ code, signal, killed }: EndedProcess): void {
    if (this.#hasExited) return
    if (killed === true && !this.#child.killed) this.#child.kill((signal ?? 'SIGTERM') as NodeJS.Signals)
    this.#hasExited = true
    this.#onexit.call(undefined as never, code ?? 0, signal ?? '')
  }

  #awaitClose(stream: Socket): void {
    this.#count('_closesNeeded')
    stream.once('end', () => stream.destroy())
    stream.once('close', () => this.#partCloses())
  }

  /** @note A child closes once it has exited and all its outputs are closed. Source: Node, lib/internal/child_process.js, maybeClose. */
  #partCloses(): void {
    const child = this.#child
    const { _closesNeeded: needed } = child
    if (this.#count('_closesGot') === needed) child.emit('close', child.exitCode, child.signalCode)
  }

  #count(key: '_closesGot' | '_closesNeeded'): number {
    this.#child[key] += 1
    return this.#child[key]
  }

  #openChannel(): void {
    const nothing = (): void => undefined
    Object.assign(this.#child, {
      connected: true,
      channel: { ref: nothing, unref: nothing, refCounted: nothing, unrefCounted: nothing },
      send: (...args: unknown[]): boolean => this.#send(args.at(-1)),
      disconnect: () => process.nextTick(() => this.#disconnect()),
    })
  }

  #send(callback: unknown): boolean {
    const { connected } = this.#child
    const error = connected ? null : Object.assign(new Error('Channel closed'), { code: 'ERR_IPC_CHANNEL_CLOSED' })
    if (typeof callback === 'function') process.nextTick(callback, error)
    else if (error !== null) process.nextTick(() => this.#child.emit('error', error))
    return connected
  }

  #disconnect(): void {
    if (!this.#child.connected) return
    Object.assign(this.#child, { connected: false, channel: null })
    this.#child.emit('disconnect')
  }
}

const written = (_several: boolean, _data: unknown, _encoding: string, callback: () => void): void => process.nextTick(callback)

/** An input that discards what is written. @note Without `readable: false`, code that waits for all streams of a child waits for this one. */
function inputDouble(): Socket {
  const stream = new builtins.net.Socket({ readable: false })
  Object.assign(stream, { _writeGeneric: written })
  markTransport(stream)
  return stream
}

/** @note Node's own are not half-open, and are duplex beyond the standard ones. Source: Node, lib/internal/child_process.js, createSocket. */
function outputDouble(isWritable: boolean): Socket {
  const stream = new builtins.net.Socket({ allowHalfOpen: false, writable: isWritable })
  Object.assign(stream, { _read: () => undefined, _writeGeneric: written })
  markTransport(stream)
  return stream
}

/** Returns the number of a system's error, which differs between systems. */
export function systemErrorNumber(code: string): number {
  return [...getSystemErrorMap()].find(([, [name]]) => name === code)?.[0] ?? -2
}

/** Returns the kinds of a child's streams, at least three. */
export function stdioOf({ stdio }: SpawnOptions): unknown[] {
  if (Array.isArray(stdio)) return [...stdio, ...[undefined, undefined, undefined].slice(stdio.length)]
  return [stdio, stdio, stdio]
}

/** Returns whether the parent reads or writes a stream of this kind. */
export function isPipe(kind: unknown): boolean {
  return kind === undefined || kind === null || kind === 'pipe' || kind === 'overlapped'
}
