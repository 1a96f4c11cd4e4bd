import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The absolute path that an argument of a function of `node:fs` stands for; undefined for a descriptor, and for what Node refuses. */
export function toFilePath(argument: unknown): string | undefined {
  if (typeof argument === 'string') return argument.includes('\0') ? undefined : resolve(argument)
  if (Buffer.isBuffer(argument)) return resolve(argument.toString())
  return argument instanceof URL && argument.protocol === 'file:' ? resolve(fileURLToPath(argument)) : undefined
}
