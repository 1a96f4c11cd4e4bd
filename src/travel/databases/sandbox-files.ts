import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { SandboxFile } from '../../run/active-run.ts'
import { isFileDriver, pathOfSandbox } from './file-drivers.ts'
import type { SandboxDatabase } from './split-databases.ts'

/** The directories of copies of all forks. */
const directories = new Set<string>()

function makeDirectoryOfCopies(): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'goldenrun-sandbox-'))
  // The process may end during the fork.
  if (directories.size === 0) process.on('exit', removeAllCopies)
  directories.add(directory)
  return directory
}

function removeCopies(directory: string): void {
  rmSync(directory, { recursive: true, force: true })
  directories.delete(directory)
  if (directories.size === 0) process.off('exit', removeAllCopies)
}

function removeAllCopies(): void {
  for (const directory of directories) removeCopies(directory)
}

/** The files of one fork's sandbox. Files to be rolled back are copies. */
export class SandboxFiles {
  readonly byDriver: ReadonlyMap<string, SandboxFile>
  #copies: string | undefined

  constructor(databases: Readonly<Record<string, SandboxDatabase>>) {
    const given = Object.entries(databases).filter(([driver]) => isFileDriver(driver))
    this.byDriver = new Map(
      given.map(([driver, { url, rollback }]) => {
        const file = pathOfSandbox(url)
        return [driver, { path: rollback === true ? this.#copy(driver, file) : file, connections: new Map() }]
      }),
    )
  }

  /** Closes the connections, and removes the copies. */
  async close(): Promise<void> {
    for (const { connections } of this.byDriver.values())
      for (const connection of connections.values()) {
        // A libsql connection stays open, and keeps its locks, while a transaction is open.
        for (const end of [() => connection.exec('ROLLBACK'), () => connection.close()]) {
          try {
            await end()
          } catch {
            // There is no transaction, or a statement of the agent still holds it.
          }
        }
      }
    if (this.#copies !== undefined) removeCopies(this.#copies)
  }

  /** The log has changes that are not in the file yet. Source: https://sqlite.org/wal.html */
  #copy(driver: string, file: string): string {
    this.#copies ??= makeDirectoryOfCopies()
    const copy = path.join(this.#copies, `${driver}.db`)
    for (const end of ['', '-wal', '-journal']) if (existsSync(file + end)) copyFileSync(file + end, copy + end)
    return copy
  }
}
