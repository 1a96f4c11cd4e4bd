import type { Dir, Dirent } from 'node:fs'
import util from 'node:util'
import { builtins } from '../../node/builtins.ts'

/** How paths and times of the temporary tree are told to the agent. */
export interface Renaming {
  readonly toAgent: (text: string) => string
  /** The same in errors, if it differs. */
  readonly inErrors?: (text: string) => string
  readonly recordedTime: (modified: number) => number
}

/** Converts a function's result to the paths that the agent knows; in a recording, they are the disk's. Changes entries of folders in place. */
export function toAgentResult(renaming: Renaming | undefined, result: unknown): unknown {
  if (renaming === undefined) return result
  if (typeof result === 'string') return renaming.toAgent(result)
  if (Array.isArray(result)) return result.map((item: unknown) => toAgentResult(renaming, item))
  if (typeof result !== 'object' || result === null) return result
  for (const key of ['path', 'parentPath']) {
    const value: unknown = Object.getOwnPropertyDescriptor(result, key)?.value
    if (typeof value === 'string') Reflect.set(result, key, renaming.toAgent(value))
  }
  const modified: unknown = Object.getOwnPropertyDescriptor(result, 'mtimeMs')?.value
  if (typeof modified === 'number') Reflect.set(result, 'mtimeMs', renaming.recordedTime(modified))
  // The result of `handle.write` has no prototype.
  if ((Reflect.get(result, 'constructor') as { name?: unknown } | undefined)?.name === 'Dir') tellEntries(result as Dir, renaming)
  return result
}

/** An open folder reads its entries later. */
function tellEntries(folder: Dir, renaming: Renaming): void {
  const { path, read, readSync } = folder
  const entries = folder[Symbol.asyncIterator]
  const told = <Entry>(entry: Entry): Entry => toAgentResult(renaming, entry) as Entry
  const allTold = async function* (): AsyncGenerator<Dirent> {
    for await (const entry of { [Symbol.asyncIterator]: () => entries.call(folder) }) yield told(entry)
  }
  const readTold = (callback?: (error: Error | null, entry: Dirent | null) => void): unknown =>
    callback === undefined
      ? Reflect.apply<Dir, [], Promise<Dirent | null>>(read, folder, []).then(told)
      : Reflect.apply(read as (callback: unknown) => void, folder, [
          (error: Error | null, entry: Dirent | null): void => callback(error, told(entry)),
        ])
  const own = { path: renaming.toAgent(path), read: readTold, readSync: () => told(readSync.call(folder)), entries: allTold }
  for (const [key, value] of Object.entries(own)) Object.defineProperty(folder, key, { value })
  Object.defineProperty(folder, Symbol.asyncIterator, { value: allTold })
}

/** The same for an error, which is changed in place. */
export function toAgentError(renaming: Renaming | undefined, error: unknown): unknown {
  if (renaming === undefined || !(error instanceof Error)) return error
  const toAgent = renaming.inErrors ?? renaming.toAgent
  for (const key of ['message', 'stack', 'path', 'dest'] as const) {
    const value: unknown = Reflect.get(error, key)
    if (typeof value === 'string' && value !== toAgent(value)) Reflect.set(error, key, toAgent(value))
  }
  return error
}

/** Returns the error that Node failed with when the run was recorded. */
export function recordedFailure(code: string, call: string, path: string, dest?: string): Error {
  const errno = -(builtins.os.constants.errno[code as 'ENOENT'] ?? 0)
  const what =
    code === 'EFBIG' ? 'its content is not in the recording, because it is longer than files.maxBytes' : util.getSystemErrorMessage(errno)
  const to = dest === undefined ? '' : ` -> '${dest}'`
  const facts = { errno, code, syscall: call, path, ...(dest !== undefined && { dest }) }
  return Object.assign(new Error(`${code}: ${what}, ${call} '${path}'${to}`), facts)
}
