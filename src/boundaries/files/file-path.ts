import { isAbsolute, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Returns the absolute path for an argument of a `node:fs` function; undefined for a descriptor, and for what Node refuses. */
export function toFilePath(argument: unknown): string | undefined {
  const named = toNamedPath(argument)
  return named === undefined ? undefined : resolve(named)
}

/** Returns the path as written: `..` after a link leads out of the folder that the link leads to. */
export function toNamedPath(argument: unknown): string | undefined {
  if (argument instanceof URL) return argument.protocol === 'file:' ? fileURLToPath(argument) : undefined
  const text = Buffer.isBuffer(argument) ? argument.toString() : argument
  if (typeof text !== 'string' || text.includes('\0')) return undefined
  return isAbsolute(text) ? text : `${process.cwd()}${sep}${text}`
}
