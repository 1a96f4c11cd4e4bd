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

/** How each runs a command of an installed package. */
export const execs: Readonly<Record<PackageManager, string>> = { npm: 'npx', pnpm: 'pnpm exec', yarn: 'yarn run', bun: 'bunx' }

/** The package manager whose lock file is nearest, in a directory or above it in its repository; undefined if there is none. */
export function findPackageManager(from: string): PackageManager | undefined {
  for (let directory = path.resolve(from); ; directory = path.dirname(directory)) {
    const [, found] = locks.find(([file]) => existsSync(path.join(directory, file))) ?? []
    if (found !== undefined || existsSync(path.join(directory, '.git')) || path.dirname(directory) === directory) return found
  }
}

/** A goldenrun command, as it is run in the working directory: `npx goldenrun list`. */
export function ownCommand(rest: string): string {
  return `${execs[findPackageManager(process.cwd()) ?? 'npm']} goldenrun ${rest}`
}
