import { mkdirSync, statSync } from 'node:fs'
import path from 'node:path'

/**
 * Makes a directory and those that it lies in, where they are not there.
 *
 * @note Node's own `recursive` never returns where a directory is there in which none can be made: in `/proc`, on a mount that has gone.
 * @throws what Node throws where it cannot be made.
 */
export function makeDirectory(directory: string): void {
  if (isThere(directory)) return
  const parent = path.dirname(path.resolve(directory))
  if (parent !== path.resolve(directory)) makeDirectory(parent)
  try {
    mkdirSync(directory)
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isThere(directory)) throw error
  }
}

function isThere(directory: string): boolean {
  return statSync(directory, { throwIfNoEntry: false })?.isDirectory() === true
}
