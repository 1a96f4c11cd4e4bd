import { mkdirSync, statSync } from 'node:fs'
import path from 'node:path'

/**
 * Creates a directory and its parents, if missing.
 *
 * @note Node's own `recursive` never returns if no directory can be created in an existing parent: in `/proc`, on a lost mount.
 * @throws The error that Node throws if it cannot be created.
 */
export function makeDirectory(directory: string): void {
  if (isThere(directory)) return
  const parent = path.dirname(path.resolve(directory))
  if (parent !== path.resolve(directory)) makeDirectory(parent)
  try {
    mkdirSync(directory)
  } catch (error) {
    // Another process may have created it in the meantime.
    if (!isThere(directory)) throw error
  }
}

function isThere(directory: string): boolean {
  return statSync(directory, { throwIfNoEntry: false })?.isDirectory() === true
}
