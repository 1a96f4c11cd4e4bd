import path from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * A file of goldenrun's own that a worker loads, by its path in `src`, without the extension. In a package it is the file of that name in
 * `dist`: this code lies a folder deep in both.
 */
export function ownFile(name: string): string {
  const here = fileURLToPath(import.meta.url)
  return path.join(path.dirname(here), '..', `${name}${path.extname(here)}`).replaceAll(path.sep, '/')
}
