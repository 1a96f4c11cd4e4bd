import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { findLock, type FoundLock, lockFiles, type PackageManager } from '../../stores/package-manager.ts'
import { git, pastCodeError } from './git.ts'
import type { Worktree } from './worktree.ts'

const MODULES = 'node_modules'

/** Compares the lock files of a worktree with those of the repository. */
export function compareLocks(
  { repository, root }: Worktree,
  folders: readonly string[],
): {
  /** The first lock file that differs, relative to the root; undefined if none does. */
  readonly differing: string | undefined
  /** The contents of all lock files of the worktree. */
  readonly text: string
} {
  const files = folders.flatMap((folder) => lockFiles.map((file) => path.join(folder, file)))
  return {
    differing: files.find((file) => readLock(path.join(repository, file)) !== readLock(path.join(root, file)))?.replaceAll(path.sep, '/'),
    text: JSON.stringify(files.map((file) => readLock(path.join(root, file)) ?? null)),
  }
}

/** Returns a lock file's content with normalized line ends; undefined if there is no such file. */
function readLock(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'latin1').replaceAll('\r\n', '\n') : undefined
}

/**
 * Links the packages installed in the repository into a worktree. A package that is a folder of the repository, as in a workspace, is linked to the
 * worktree's own folder, so its code is the commit's.
 */
export function linkPackages(worktree: Worktree, folders: readonly string[]): void {
  for (const folder of withOtherPackages(worktree.repository, folders)) {
    const [from, to] = [path.join(worktree.repository, folder, MODULES), path.join(worktree.root, folder, MODULES)]
    if (existsSync(from) && existsSync(path.dirname(to)) && !existsSync(to)) linkFolder(from, to, worktree)
  }
}

/** Removes linked and installed packages. */
export function removePackages({ repository, root }: Worktree, folders: readonly string[]): void {
  for (const folder of withOtherPackages(root, withOtherPackages(repository, folders)))
    rmSync(path.join(root, folder, MODULES), { recursive: true, force: true })
}

/**
 * Installs the packages of a worktree from its own lock file.
 *
 * @param directory The lock file is looked for in this folder, then above it.
 * @param name The name of the commit in messages.
 * @throws GoldenrunError `GOLDENRUN_PAST_CODE` if there is no lock file, or the installation fails.
 */
export async function installPackages(worktree: Worktree, directory: string, name: string): Promise<void> {
  const lock = findLock(directory)
  if (lock === undefined) throw pastCodeError(`${name} has no lock file to install its packages from.`)
  const { manager } = lock
  const args = installArguments(lock)
  const failed = (why: string, options?: ErrorOptions): Error =>
    pastCodeError(`Could not install the packages of ${name}: ${[manager, ...args].join(' ')} ${why}.`, options)
  // On Windows, package managers are scripts and need a shell. The arguments contain no user input.
  const options = { cwd: lock.directory, shell: process.platform === 'win32' }
  const ended = await worktree.run(manager, args, options).catch((error: Error) => {
    throw failed(`could not be started: ${error.message}`, { cause: error })
  })
  if (ended !== 0) throw failed(typeof ended === 'number' ? `ended with exit status ${ended}` : `was ended by ${ended}`)
}

const frozen: Readonly<Record<PackageManager, readonly string[]>> = {
  npm: ['ci'],
  pnpm: ['install', '--frozen-lockfile'],
  yarn: ['install', '--immutable'],
  bun: ['install', '--frozen-lockfile'],
}

function installArguments({ manager, file }: FoundLock): readonly string[] {
  const isYarn1 = manager === 'yarn' && readFileSync(file, 'utf8').includes('# yarn lockfile v1')
  return isYarn1 ? ['install', '--frozen-lockfile'] : frozen[manager]
}

/** Returns the folders, and all folders of the repository with a `package.json`, relative to the root. */
function withOtherPackages(root: string, folders: readonly string[]): string[] {
  const files = git(root, ['ls-files', '-z', '--cached', '--', ':(glob)**/package.json']).split('\0')
  return [...new Set([...folders, ...files.filter((file) => file !== '').map((file) => path.dirname(file))])]
}

function linkFolder(from: string, to: string, worktree: Worktree): void {
  const { repository, root } = worktree
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = path.join(from, entry.name)
    const target = path.join(to, entry.name)
    // A link may be broken. Files are notes of package managers.
    if (statSync(source, { throwIfNoEntry: false })?.isDirectory() !== true) continue
    if (entry.name.startsWith('@') && entry.isDirectory()) linkFolder(source, target, worktree)
    else {
      const own = path.relative(repository, realpathSync(source))
      const isOwn = !path.isAbsolute(own) && !own.split(path.sep).some((part) => part === '..' || part === MODULES)
      const place = isOwn ? path.join(root, own) : source
      if (existsSync(place)) symlinkSync(place, target, 'junction')
    }
  }
}
