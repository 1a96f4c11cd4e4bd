import type * as Minizlib from 'minizlib'
import { ownRequire } from '../node/own-url.ts'

let library: typeof Minizlib | undefined

/**
 * Loads minizlib: zlib, brotli and zstd as synchronous streams, which Node lacks. Loaded lazily, because most programs with a recorder need none, and
 * synchronously, because the agent's thread may need it. The build replaces the `require` with the library itself (`scripts/built-in.ts`).
 */
export function loadMinizlib(): typeof Minizlib {
  library ??= ownRequire()('minizlib') as typeof Minizlib
  return library
}
