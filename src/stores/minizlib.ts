import type * as Minizlib from 'minizlib'
import { ownRequire } from '../node/own-url.ts'

let library: typeof Minizlib | undefined

/**
 * Synchronous streams of zlib, brotli and zstd, unlike Node's own. Loaded lazily, because most programs with a recorder need none, and
 * synchronously, because the agent's thread may need it.
 *
 * @throws Error if it is not installed: a program that was bundled into one file may lack it.
 */
export function loadMinizlib(): typeof Minizlib {
  library ??= ownRequire()('minizlib') as typeof Minizlib
  return library
}

let isInstalled: boolean | undefined

/** Whether it is installed. */
export function hasMinizlib(): boolean {
  isInstalled ??= canLoad()
  return isInstalled
}

function canLoad(): boolean {
  try {
    loadMinizlib()
    return true
  } catch {
    return false
  }
}
