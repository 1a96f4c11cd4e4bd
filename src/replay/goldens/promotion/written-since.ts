import { statSync } from 'node:fs'
import { displayPath } from '../../../node/display-path.ts'
import { requiredModules } from '../../../node/required-modules.ts'

/**
 * Returns the modules of the project that were written after a date, by the dates of their files: in a fresh checkout, all of them.
 *
 * @returns Undefined if no module of the project is known: a test runner has loaded them.
 */
export function modulesWrittenSince(date: Date): string[] | undefined {
  const modules = requiredModules().flatMap(([file]) => (/[\\/]node_modules[\\/]/.test(file) ? [] : [file]))
  const dates = modules.flatMap((file) => {
    const stats = statSync(file, { throwIfNoEntry: false })
    return stats === undefined ? [] : [{ file, written: stats.mtime }]
  })
  return dates.length === 0 ? undefined : dates.flatMap(({ file, written }) => (written > date ? [displayPath(file)] : []))
}
