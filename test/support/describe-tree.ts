import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join, relative } from 'node:path'

/** Describes all that stands in a folder: kinds, permissions, times and contents. */
export function describeTree(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return Object.fromEntries(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name)
      const { mode, mtimeMs, ctimeMs, ino } = lstatSync(path)
      const content = entry.isFile() ? readFileSync(path, 'latin1') : entry.isSymbolicLink() ? readlinkSync(path) : ''
      return [relative(folder, path), `${ino} ${mode} ${mtimeMs} ${ctimeMs} ${content}`]
    }),
  )
}
