import type { Writable } from 'node:stream'
import { bytesOf } from '../http/body-pieces.ts'

/** Notified of what an agent writes to a child process, in the agent's own context, before it is passed on. */
export interface InputWatcher {
  /** Returns `true` if the bytes are not to be passed on. */
  write(bytes: Uint8Array): boolean | void
  end(): void
}

/**
 * Watches writes to a child's input where the call is made: by the time bytes reach the pipe, they may be in another run's context.
 *
 * @note `end(chunk)` does not call `write`. Source: Node, lib/internal/streams/writable.js.
 */
export function watchInput(stdin: Writable, watcher: InputWatcher): void {
  const { write, end } = stdin
  const tell = (chunk: unknown, encoding: unknown): boolean => {
    const bytes = bytesOf(chunk, encoding)
    return bytes !== undefined && bytes.length > 0 && !stdin.writableEnded && watcher.write(bytes) === true
  }
  stdin.write = function (this: Writable, chunk: unknown, encoding?: unknown, ...rest: unknown[]) {
    if (!tell(chunk, encoding)) return Reflect.apply(write, this, [chunk, encoding, ...rest])
    const callback = [encoding, ...rest].find((argument) => typeof argument === 'function')
    if (callback !== undefined) process.nextTick(callback)
    return true
  } as Writable['write']
  stdin.end = function (this: Writable, chunk?: unknown, encoding?: unknown, ...rest: unknown[]) {
    const isFirst = !stdin.writableEnded
    if (typeof chunk !== 'function') tell(chunk, encoding)
    if (isFirst) watcher.end()
    return Reflect.apply(end, this, [chunk, encoding, ...rest])
  } as Writable['end']
}
