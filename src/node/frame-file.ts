import { isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ownUrl } from './own-url.ts'
import { orElse } from '../trace/or-else.ts'

/** Returns the file of a stack frame; undefined for Node's own modules. Vite adds a query to modules that it reloads. */
export function frameFile(place: string): string | undefined {
  const bare = place.replace(/\?[^\\/]*$/, '')
  if (bare.startsWith('file:')) return toPath(bare)
  return isAbsolute(bare) ? bare : undefined
}

/** Returns whether a file is goldenrun's own. */
export function isOwnFile(file: string): boolean {
  return ownDirectory !== undefined && file.startsWith(ownDirectory)
}

/** Returns whether a file belongs to a package. */
export function isPackageFile(file: string): boolean {
  return /(?:^|[\\/])node_modules[\\/]/.test(file)
}

/** The directory of goldenrun's own files: `src/` here, `dist/` in a package, whatever the build's file layout. */
const ownDirectory = /^.*[\\/](?:src|dist)[\\/]/.exec(fileURLToPath(ownUrl))?.[0]

function toPath(url: string): string | undefined {
  return orElse(() => fileURLToPath(url), undefined)
}
