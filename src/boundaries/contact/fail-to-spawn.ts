import type { ChildProcess } from 'node:child_process'
import { getSystemErrorMap } from 'node:util'
import type { Refusal } from './make-contact.ts'

/** Node's handle of a child process. Source: Node, lib/internal/child_process.js. */
interface ProcessHandle {
  spawn(options: unknown): number
  onexit(status: number, signal: string): void
}

/**
 * Lets a child fail as it does whose command does not exist: its handle says so instead of spawning, and Node does the rest (streams, channel,
 * events). The error that it then emits is the refusal's.
 *
 * @param spawn Node's own way on from here.
 */
export function failToSpawn(child: ChildProcess, spawn: () => unknown, { error, later }: Refusal): unknown {
  const { _handle: handle } = child as ChildProcess & { readonly _handle: ProcessHandle }
  const { onexit } = handle
  const exit: ProcessHandle['onexit'] = (status, signal) =>
    later(() => {
      const emit = child.emit.bind(child)
      child.emit = (event: string | symbol, ...args: unknown[]) => (event === 'error' ? emit(event, error) : emit(event, ...args))
      onexit(status, signal)
      Reflect.deleteProperty(child, 'emit')
    })
  Object.assign(handle, { spawn: () => notFound, onexit: exit })
  return spawn()
}

/** The number differs between systems. */
const notFound: number = [...getSystemErrorMap()].find(([, [name]]) => name === 'ENOENT')?.[0] ?? -2
