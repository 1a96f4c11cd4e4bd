import { existsSync } from 'node:fs'
import path from 'node:path'

/** A package manager. */
export type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun'

const locks: readonly (readonly [file: string, manager: PackageManager])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
]

/** How each package manager runs a command of an installed package. */
export const execs: Readonly<Record<PackageManager, string>> = { npm: 'npx', pnpm: 'pnpm exec', yarn: 'yarn run', bun: 'bunx' }

/** The names of lock files. */
export const lockFiles: readonly string[] = locks.map(([file]) => file)

/** A lock file, and the package manager that owns it. */
export interface FoundLock {
  readonly manager: PackageManager
  readonly file: string
  readonly directory: string
}

/** Finds the nearest lock file, in a directory or above it in its repository; undefined if there is none. */
export function findLock(from: string): FoundLock | undefined {
  for (let directory = path.resolve(from); ; directory = path.dirname(directory)) {
    const found = locks.find(([name]) => existsSync(path.join(directory, name)))
    if (found !== undefined) return { manager: found[1], file: path.join(directory, found[0]), directory }
    if (existsSync(path.join(directory, '.git')) || path.dirname(directory) === directory) return undefined
  }
}

/** Returns the package manager of the nearest lock file. */
export function findPackageManager(from: string): PackageManager | undefined {
  return findLock(from)?.manager
}

/** Returns a goldenrun command as it is run in the working directory: `npx goldenrun list`. */
export function ownCommand(rest: string): string {
  return `${execs[findPackageManager(process.cwd()) ?? 'npm']} goldenrun ${rest}`
}
