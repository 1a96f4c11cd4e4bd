import path from 'node:path'
import { pathOfUrl } from '../../boundaries/drivers/sqlite/file-url.ts'

/** SQLite drivers in this process, by the prefix of their steps' names. */
const fileDrivers: ReadonlySet<string> = new Set(['sqlite', 'better-sqlite3', 'libsql'])

/** Whether a file stands in for the databases of a driver. */
export function isFileDriver(driver: string): boolean {
  return fileDrivers.has(driver)
}

/** The path of a file given as a path or as a `file:` URL. */
export function pathOfSandbox(given: string): string {
  return path.resolve(given.startsWith('file:') ? pathOfUrl(given) : given)
}
