import util from 'node:util'
import { builtins } from '../../node/builtins.ts'
import type { Overlay } from './overlay.ts'

/** Converts a function's result to the paths that the agent knows; in a recording, they are the disk's. Changes entries of folders in place. */
export function toAgentResult(overlay: Overlay | undefined, result: unknown): unknown {
  if (overlay === undefined) return result
  if (typeof result === 'string') return overlay.toAgent(result)
  if (Array.isArray(result)) return result.map((item: unknown) => toAgentResult(overlay, item))
  if (typeof result !== 'object' || result === null) return result
  for (const key of ['path', 'parentPath']) {
    const value: unknown = Object.getOwnPropertyDescriptor(result, key)?.value
    if (typeof value === 'string') Reflect.set(result, key, overlay.toAgent(value))
  }
  const modified: unknown = Object.getOwnPropertyDescriptor(result, 'mtimeMs')?.value
  if (typeof modified === 'number') Reflect.set(result, 'mtimeMs', overlay.recordedTime(modified))
  // The result of `handle.write` has no prototype.
  if ((Reflect.get(result, 'constructor') as { name?: unknown } | undefined)?.name === 'Dir')
    Object.defineProperty(result, 'path', { value: overlay.toAgent((result as { path: string }).path) })
  return result
}

/** The same for an error, which is changed in place. */
export function toAgentError(overlay: Overlay | undefined, error: unknown): unknown {
  if (overlay === undefined || !(error instanceof Error)) return error
  for (const key of ['message', 'stack', 'path', 'dest'] as const) {
    const value: unknown = Reflect.get(error, key)
    if (typeof value === 'string' && value !== overlay.toAgent(value)) Reflect.set(error, key, overlay.toAgent(value))
  }
  return error
}

/** Returns the error that Node failed with when the run was recorded. */
export function recordedFailure(code: string, call: string, path: string): Error {
  const errno = -(builtins.os.constants.errno[code as 'ENOENT'] ?? 0)
  const what =
    code === 'EFBIG' ? 'its content is not in the recording, because it is longer than files.maxBytes' : util.getSystemErrorMessage(errno)
  return Object.assign(new Error(`${code}: ${what}, ${call} '${path}'`), { errno, code, syscall: call, path })
}
