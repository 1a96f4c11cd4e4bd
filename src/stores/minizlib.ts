import type * as Minizlib from 'minizlib'
import { ownRequire } from '../node/own-url.ts'

let library: typeof Minizlib | undefined

/**
 * Synchronous streams of zlib, brotli and zstd, unlike Node's own. Loaded lazily, because most programs with a recorder need none, and
 * synchronously, because the agent's thread may need it. The build puts the library itself in place of the `require` (`scripts/built-in.ts`).
 */
export function loadMinizlib(): typeof Minizlib {
  library ??= ownRequire()('minizlib') as typeof Minizlib
  return library
}
