import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ownUrl } from './own-url.ts'

/**
 * Returns the path of one of goldenrun's own files, given its path in `src` without the extension. In a package, it is the file of that name in `dist`.
 * Undefined if this code was moved, for example into a bundle.
 */
export function ownFile(name: string): string | undefined {
  return isInSandbox ? undefined : programFile(name)
}

/** The same for a file that is the program of a process, which a Jest sandbox may start as well. */
export function programFile(name: string): string | undefined {
  const here = fileURLToPath(ownUrl)
  const [, base, extension] = /^(.*[\\/](?:src|dist)[\\/]).*(\.[jt]s)$/.exec(here) ?? []
  const file = base === undefined || extension === undefined ? undefined : `${base}${name}${extension}`
  return file !== undefined && existsSync(file) ? file : undefined
}

/** Whether this code runs in a Jest sandbox (`scripts/build-sandbox.ts`). A sandbox is created for each test file and must not leave threads behind. */
export const isInSandbox: boolean = ownUrl.endsWith('?sandbox')
