import type * as Minizlib from 'minizlib'
import { ownRequire } from '../node/own-url.ts'

let library: typeof Minizlib | undefined

/**
 * Streams of zlib, brotli and zstd that are through when `write` returns, which Node's own are not. Loaded when it is first asked for: most of what
 * loads a recorder needs none. At once, since the agent's thread may have to.
 *
 * @throws Error where it is not installed: a program that was bundled into one file may have left it behind.
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
