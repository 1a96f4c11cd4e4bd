import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** What a process has done with files, as absolute paths. */
export interface WatchedFiles {
  /** Files that anything has read, or looked for in vain. */
  readonly read: ReadonlySet<string>
  /** Folders whose entries anything has listed. */
  readonly listed: ReadonlySet<string>
  /** Files that anything has written. */
  readonly written: ReadonlySet<string>
}

/** The functions of `node:fs` whose first argument is a path. Their forms of `node:fs/promises` have the same names. */
const functions: Readonly<Record<string, keyof WatchedFiles | 'by flags'>> = {
  readFile: 'read',
  readFileSync: 'read',
  openAsBlob: 'read',
  open: 'by flags',
  openSync: 'by flags',
  readdir: 'listed',
  readdirSync: 'listed',
  writeFile: 'written',
  writeFileSync: 'written',
  appendFile: 'written',
  appendFileSync: 'written',
}

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown

/**
 * Notes, for the rest of the process, what anything reads, lists and writes: the modules of a project, which its loader reads, and the texts that an
 * agent reads while it loads or runs. Only for a process of its own.
 */
export function watchFiles(): WatchedFiles {
  const files = { read: new Set<string>(), listed: new Set<string>(), written: new Set<string>() }
  for (const home of [fs, fs.promises] as unknown as readonly Record<string, AnyFunction | undefined>[]) {
    for (const [name, use] of Object.entries(functions)) {
      const original = home[name]
      if (original === undefined) continue
      home[name] = function (this: unknown, ...args: unknown[]) {
        const file = pathOf(args[0])
        if (file !== undefined) files[use === 'by flags' ? useOf(args[1]) : use].add(file)
        return original.apply(this, args)
      }
    }
  }
  syncBuiltinESMExports()
  return files
}

/** @param flags Of `open`: absent, a callback, a text such as `w+`, or the system's numbers. */
function useOf(flags: unknown): 'read' | 'written' {
  if (typeof flags === 'number') return (flags & (fs.constants.O_WRONLY | fs.constants.O_RDWR)) === 0 ? 'read' : 'written'
  return typeof flags === 'string' && /[wa+]/.test(flags) ? 'written' : 'read'
}

function pathOf(given: unknown): string | undefined {
  if (typeof given === 'string') return path.resolve(given)
  if (given instanceof URL) return given.protocol === 'file:' ? fileURLToPath(given) : undefined
  return Buffer.isBuffer(given) ? path.resolve(given.toString()) : undefined
}
