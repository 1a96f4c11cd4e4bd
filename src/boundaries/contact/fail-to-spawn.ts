import type { ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import { builtins } from '../../node/builtins.ts'
import { markTransport } from './known-sockets.ts'
import type { Refusal } from './make-contact.ts'
import { isPipe, type StartingChild, stdioOf, systemErrorNumber } from '../process/child-double.ts'
import type { SpawnOptions } from '../process/describe-process.ts'

/** How a child process fails. */
export interface SpawnFailure extends Pick<Refusal, 'later'> {
  /** The error that it emits. Default: the one that Node makes from the system's error. */
  readonly error?: Error
  /** The system's error. Default: the program does not exist. */
  readonly code?: string
}

/**
 * Makes a child process fail as if its command did not exist: its handle reports that instead of spawning, and Node does the rest. The
 * child then emits the refusal's error.
 *
 * @param spawn Node's original method.
 */
export function failToSpawn(
  child: ChildProcess,
  spawn: (options: SpawnOptions) => unknown,
  options: SpawnOptions,
  refusal: SpawnFailure,
): unknown {
  const { _handle: handle } = child as StartingChild
  const { onexit } = handle
  const kinds = stdioOf(options)
  // The system opens a child's pipes when it spawns the child, so these are silent stand-ins.
  const streams = kinds.map((kind) => (isPipe(kind) ? silentStream() : null))
  const exit = (status: number, signal: string): void => {
    refusal.later(() => emitOnExit(child, streams, refusal, () => onexit(status, signal)))
  }
  Object.assign(handle, { spawn: () => systemErrorNumber(refusal.code ?? 'ENOENT'), onexit: exit })
  const status = spawn({ ...options, stdio: kinds.map((kind) => (kind === 'ipc' ? 'ipc' : 'ignore')) })
  const [stdin, stdout, stderr] = streams
  Object.assign(child, { stdin, stdout, stderr, stdio: streams })
  return status
}

/** While Node handles the exit, the refusal's error replaces Node's, and the child is closed once its streams are. */
function emitOnExit(child: ChildProcess, streams: readonly (Socket | null)[], { error, later }: SpawnFailure, exit: () => void): void {
  const emit = child.emit.bind(child)
  child.emit = (event: string | symbol, ...args: unknown[]) => {
    if (event !== 'close') return emit(event, ...(event === 'error' && error !== undefined ? [error] : args))
    later(() => endStreams(streams, () => emit(event, ...args)))
    return true
  }
  try {
    exit()
  } finally {
    Reflect.deleteProperty(child, 'emit')
  }
}

function endStreams(streams: readonly (Socket | null)[], closed: () => void): void {
  let open = 1
  const close = (): void => {
    open -= 1
    if (open === 0) closed()
  }
  for (const stream of streams) {
    if (stream === null || stream.closed) continue
    open += 1
    stream.once('close', close)
    stream.once('end', () => stream.destroy())
    if (!stream.destroyed) stream.push(null)
  }
  close()
}

/** A stream whose writes wait and whose reads never arrive. */
function silentStream(): Socket {
  const stream = Object.assign(new builtins.net.Socket(), { connecting: true })
  markTransport(stream)
  return stream
}
