import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ownUrl } from '../node/own-url.ts'

/**
 * A file of goldenrun's own that is loaded by its path, by that path in `src`, without the extension. In a package it is the file of that name in
 * `dist`. Undefined where this code does not lie where it was built, as in a bundle.
 */
export function ownFile(name: string): string | undefined {
  const here = fileURLToPath(ownUrl)
  const [, base, extension] = /^(.*[\\/](?:src|dist)[\\/]).*(\.[jt]s)$/.exec(here) ?? []
  const file = base === undefined || extension === undefined ? undefined : `${base}${name}${extension}`
  return file !== undefined && existsSync(file) ? file : undefined
}

/** Whether this code is what Jest loads in its sandboxes, which are made anew for each test file and leave no thread behind. */
export const isInSandbox: boolean = /[\\/]dist[\\/]commonjs[\\/](?:chunks[\\/])?[^\\/]*\.cjs$/.test(fileURLToPath(ownUrl))
